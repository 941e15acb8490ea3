-- Opens a wrong program, waits for its diagnostic, applies the cure, waits until it is verified.
local command = vim.split(os.getenv("PITVIPER_LSP"), "\n")
local path = os.getenv("PITVIPER_PROGRAM")
local verdict = nil

local function say(text)
  io.stdout:write(text .. "\n")
  io.stdout:flush()
end

local function wait(what, holds)
  if not vim.wait(60000, holds, 50) then
    say("no " .. what)
    vim.cmd("cquit 1")
  end
end

vim.lsp.handlers["pitviper/state"] = function(_, told)
  verdict = told.state
end
vim.cmd("edit " .. path)
local id = vim.lsp.start_client({ name = "pitviper", cmd = command, root_dir = vim.fn.getcwd() })
vim.lsp.buf_attach_client(0, id)
wait("refutation", function() return verdict == "refuted" end)
wait("diagnostic", function() return #vim.diagnostic.get(0) > 0 end)
say("diagnostic " .. vim.diagnostic.get(0)[1].code)

local client = vim.lsp.get_client_by_id(id)
local shown = vim.diagnostic.get(0)[1].user_data.lsp
local place = vim.lsp.util.make_range_params()
local lsp_diagnostic = {
  range = { start = { line = 4, character = 2 }, ["end"] = { line = 4, character = 17 } },
  message = vim.diagnostic.get(0)[1].message,
  code = shown.code,
  source = "pitviper",
  data = shown.data,
}
place.range = lsp_diagnostic.range
place.context = { diagnostics = { lsp_diagnostic } }
local answer = client.request_sync("textDocument/codeAction", place, 20000, 0)
for _, action in ipairs(answer.result or {}) do
  if action.edit then
    verdict = nil
    vim.lsp.util.apply_workspace_edit(action.edit, client.offset_encoding or "utf-16")
    say("applied " .. action.title)
    break
  end
end
wait("proof", function() return verdict == "verified" end)
say("verdict " .. verdict .. ", " .. #vim.diagnostic.get(0) .. " diagnostics")
client.stop()
vim.cmd("qall!")
