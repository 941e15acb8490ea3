"""What is known of methods before any run: the model that would be run, graphs, analyses."""

from __future__ import annotations

from pitviper.base.record import replace
from pitviper.driver.explore.explore import Explorer
from pitviper.engines.explore.model.printer import model_text
from pitviper.engines.explore.report.flow_graph import plain_picture
from pitviper.engines.explore.report.statics import static_methods
from pitviper.engines.explore.viper.functions import method_name
from pitviper.results.exploration import Picture, StaticMethod


def model_of(explorer: Explorer) -> str:
    """Returns the program model as text."""
    return model_text(explorer.code.model)


def plain_pictures(explorer: Explorer) -> list[Picture]:
    """Returns the flow graph of each method, and of each function in use, without any run."""
    methods = explorer.code.model.methods
    found = [plain_picture(methods[name]) for name in explorer.methods]
    for name in explorer.program.functions:
        if method_name(name) in methods and name not in explorer.methods:
            found.append(replace(plain_picture(methods[method_name(name)]), method=name))
    return found


def statics_of(explorer: Explorer) -> list[StaticMethod]:
    """Returns what the analyses say about each method."""
    return list(static_methods(explorer.code.model, explorer.methods))
