"""What is known of methods before any run: the model that would be run, graphs, analyses."""

from __future__ import annotations

from pitviper.driver.explore.explore import Explorer
from pitviper.engines.explore.model.printer import model_text
from pitviper.engines.explore.report.flow_graph import plain_picture
from pitviper.engines.explore.report.statics import static_methods
from pitviper.results.exploration import Picture, StaticMethod


def model_of(explorer: Explorer) -> str:
    """Returns the program model as text."""
    return model_text(explorer.code.model)


def plain_pictures(explorer: Explorer) -> list[Picture]:
    """Returns the flow graph of each method, without any run."""
    return [plain_picture(explorer.code.model.methods[name]) for name in explorer.methods]


def statics_of(explorer: Explorer) -> list[StaticMethod]:
    """Returns what the analyses say about each method."""
    return list(static_methods(explorer.code.model, explorer.methods))
