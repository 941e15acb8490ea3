"""The way of an exploration: a typed program in, what runs of its methods showed out.

Read `explore.py` first. With workers, `host.py` shares the search of one method among processes:
`worker.py` is the life of one, `messages.py` what they tell each other. `tests.py`,
`viper_tests.py` and `steps.py` keep runs as tests and repeat them. It imports no verifier: proofs
come in as `Trust`.
"""
