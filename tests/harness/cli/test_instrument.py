"""`--instrument`: libraries are traced without a line in the agent's code, and nothing counts twice."""

from __future__ import annotations

import json
import sys

import pytest

from harness.agents.instrument import instrument
from harness.agents.problem import AgentProblem
from tests.harness.agents.server import served
from tests.harness.desk import turngate, write

AGENT = '''
import json, os
import openai
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, HumanMessage, ToolMessage
from langchain_core.outputs import ChatGeneration, ChatResult
from langchain_core.tools import tool
from langgraph.graph import START, MessagesState, StateGraph
from langgraph.prebuilt import ToolNode, tools_condition


@tool
def cancel_order(order_id: str) -> dict:
    """Cancel an order."""
    raise AssertionError("the real tool ran")


def entry(message):
    if isinstance(message, HumanMessage):
        return {"role": "user", "content": message.content}
    if isinstance(message, ToolMessage):
        return {"role": "tool", "tool_call_id": message.tool_call_id, "content": message.content}
    calls = [
        {"id": c["id"], "type": "function", "function": {"name": c["name"], "arguments": json.dumps(c["args"])}}
        for c in message.tool_calls
    ]
    return {"role": "assistant", "content": message.content, **({"tool_calls": calls} if calls else {})}


class Model(BaseChatModel):
    """LangChain's model asks through OpenAI's client, as those of langchain_openai do."""

    @property
    def _llm_type(self):
        return "asking"

    def _generate(self, messages, stop=None, run_manager=None, **_):
        client = openai.OpenAI(base_url=os.environ["MODEL_URL"], api_key="k", max_retries=0)
        came = client.chat.completions.create(model="gpt-4o", messages=[entry(each) for each in messages])
        said = came.choices[0].message
        asked = [
            {"name": each.function.name, "args": json.loads(each.function.arguments), "id": each.id}
            for each in said.tool_calls or ()
        ]
        tokens = (came.usage.prompt_tokens, came.usage.completion_tokens, came.usage.total_tokens)
        used = dict(zip(("input_tokens", "output_tokens", "total_tokens"), tokens))
        told = AIMessage(said.content or "", tool_calls=asked, usage_metadata=used)
        told.response_metadata = {"model_name": came.model}
        return ChatResult(generations=[ChatGeneration(message=told)])


def build():
    graph = StateGraph(MessagesState)
    graph.add_node("model", lambda state: {"messages": [Model().invoke(state["messages"])]})
    graph.add_node("tools", ToolNode([cancel_order]))
    graph.add_edge(START, "model")
    graph.add_conditional_edges("model", tools_condition)
    graph.add_edge("tools", "model")
    return graph.compile()
'''


def model(request):
    """Asks for the order, cancels it, tells so: as a model of OpenAI's would."""
    messages = request.body["messages"]
    last = messages[-1]
    if last["role"] == "tool":
        said, used = {"content": "I have cancelled it."}, (40, 8)
    elif "O-1" in last["content"]:
        function = {"name": "cancel_order", "arguments": '{"order_id": "O-1"}'}
        said, used = {"content": None, "tool_calls": [{"id": "c1", "type": "function", "function": function}]}, (30, 12)
    else:
        said, used = {"content": "Which order number is it?"}, (20, 6)
    return {
        "id": f"chat-{len(messages)}",
        "object": "chat.completion",
        "created": 1,
        "model": "gpt-4o",
        "choices": [{"index": 0, "finish_reason": "stop", "message": {"role": "assistant", **said}}],
        "usage": {"prompt_tokens": used[0], "completion_tokens": used[1], "total_tokens": sum(used)},
    }


@pytest.mark.parametrize(
    ("names", "workers"), [(None, 1), ("langchain", 1), ("openai", 1), ("langchain,openai", 1), ("langchain,openai", 0)]
)
def test_every_call_counts_once_whatever_is_instrumented(cli, names, workers):
    pytest.importorskip("openinference.instrumentation.langchain")
    folder = write(cli.folder, agent=AGENT)
    options = ["--instrument", names] if names else []
    with served(model) as server:
        environment = {"MODEL_URL": server.url.removesuffix("/chat")}
        run = ("run", "--agent", "agent.py:build", "--workers", workers, "--trials", 1, "-o", "e.jsonl", *options)
        done = turngate(*run, cwd=folder, env=environment)
    text = (folder / "e.jsonl").read_text("utf-8").splitlines()[1]
    episode = json.loads(text)
    told = done.stdout + done.stderr
    assert episode["status"] == "passed", told
    assert {name: episode["usage"][name] for name in ("model_calls", "tokens_in", "tokens_out")} == {
        "model_calls": 3,
        "tokens_in": 90,
        "tokens_out": 26,
    }
    assert episode["scores"]["tool_calls"]["value"] == 1
    shown = json.loads(cli("show", "cancel-one", "--json").out)
    scopes = {span["scope"] for span in shown["episode"]["spans"]}
    for name in ("langchain", "openai"):
        assert (f"openinference.instrumentation.{name}" in scopes) == (name in (names or "")), scopes


@pytest.mark.parametrize("workers", [0, 1])
def test_a_package_that_is_missing_is_told_with_what_installs_it(cli, workers):
    done = cli("run", "--instrument", "no-such", "--workers", workers)
    assert done.code == 2
    package = "openinference-instrumentation-no-such"
    assert (
        f"--instrument no-such: `openinference.instrumentation.no_such` is not installed: {sys.executable}" in done.err
    )
    assert f"-m pip install {package}" in done.err.replace("\n", "")


def test_a_service_is_instrumented_where_it_runs(cli):
    pytest.importorskip("openinference.instrumentation.openai")
    run = ("run", "--instrument", "openai", "--agent", "http://127.0.0.1:9/chat", "--workers", 1)
    done = cli(*run)
    assert done.code == 2
    assert "--instrument is for agents in this process" in done.err


def test_what_is_no_name(tmp_path):
    with pytest.raises(AgentProblem, match="name libraries, with commas"):
        instrument(["lang chain"])
