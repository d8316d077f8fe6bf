"""`platform mcp`."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path

import click

from citescape.cli.options import output_options, runs_option, store_option
from citescape.cli.output import echo_json
from citescape.core.errors import ConfigError
from citescape.core.extras import require
from citescape.core.terminal import echo


@click.command()
@click.option(
    "--cypher",
    "with_cypher",
    is_flag=True,
    help="Add a tool that runs any statement in Cypher, in a process that can only read the graph.",
)
@click.option("--list", "as_list", is_flag=True, help="Show the tools and end.")
@store_option
@runs_option
@output_options
def mcp(with_cypher: bool, as_list: bool, store: str, runs: Path | None, as_json: bool) -> None:
    """Answer agents about the graph (Model Context Protocol).

    The tools only read: they find papers, explain citations, show who cites a work and how,
    recommend what to cite and check reference lists. They answer on standard input and output. A
    program that talks to agents starts this command, with a configuration such as

    {"mcpServers": {"citescape": {"command": "platform", "args": ["mcp", "--store", "FILE"]}}}

    Needs `pip install 'citescape[agents]'`.
    """
    require("mcp")
    import anyio

    from citescape.sandbox.console import Console
    from citescape.server.agents import list_tools, serve_agents
    from citescape.server.graph import ServedGraph

    if as_list or as_json:
        tools = list_tools(cypher=with_cypher)
        if as_json:
            echo_json({"tools": [tool.model_dump(exclude_none=True) for tool in tools]})
            return
        for tool in tools:
            echo(tool.name, bold=True)
            echo(*(f"    {line}" for line in (tool.description or "").splitlines()))
        return
    with ServedGraph(store, runs) as graph, ExitStack() as stack:
        console = None
        if with_cypher:
            console = stack.enter_context(Console(lambda: graph.reading))
            if problem := console.check():
                raise ConfigError(f"--cypher is not possible: {problem}")
        anyio.run(serve_agents, graph, console)
