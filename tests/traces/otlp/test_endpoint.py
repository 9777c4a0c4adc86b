import pytest

from traces.otlp.endpoint import Endpoint, EndpointProblem

BASE = "OTEL_EXPORTER_OTLP_"


@pytest.mark.parametrize(
    ("asked", "variables", "traces", "logs"),
    [
        (None, {"ENDPOINT": "http://c:4318"}, "http://c:4318/v1/traces", "http://c:4318/v1/logs"),
        (None, {"ENDPOINT": "http://c:4318/otel/"}, "http://c:4318/otel/v1/traces", "http://c:4318/otel/v1/logs"),
        (None, {"TRACES_ENDPOINT": "http://c/here"}, "http://c/here", "http://localhost:4318/v1/logs"),
        (None, {"TRACES_ENDPOINT": "http://c/v1/traces"}, "http://c/v1/traces", "http://c/v1/logs"),
        (None, {"ENDPOINT": "http://c", "LOGS_ENDPOINT": "http://l/x"}, "http://c/v1/traces", "http://l/x"),
        ("http://a", {"ENDPOINT": "http://c", "TRACES_ENDPOINT": "http://t"}, "http://a/v1/traces", "http://a/v1/logs"),
        ("http://a/v1/traces", {}, "http://a/v1/traces", "http://a/v1/logs"),
    ],
)
def test_addresses(asked, variables, traces, logs):
    environment = {BASE + name: value for name, value in variables.items()}
    assert Endpoint.of("traces", asked, environment).url == traces
    assert Endpoint.of("logs", asked, environment).url == logs


def test_a_signals_own_setting_goes_before_the_general_one():
    environment = {
        BASE + "HEADERS": "Authorization=Bearer%20a%2Cb, x-team = care ",
        BASE + "LOGS_HEADERS": "x-team=logs",
        BASE + "TIMEOUT": "2.5",
        BASE + "TRACES_COMPRESSION": "gzip",
    }
    traces, logs = (Endpoint.of(signal, "http://c", environment) for signal in ("traces", "logs"))
    assert traces.headers == {"authorization": "Bearer a,b", "x-team": "care"}
    assert logs.headers == {"x-team": "logs"}
    assert (traces.timeout, traces.compression, logs.compression) == (2.5, "gzip", "none")


@pytest.mark.parametrize(
    ("asked", "name", "value"),
    [
        ("localhost:4318", "", ""),
        ("ftp://c", "", ""),
        ("http://c:99999", "", ""),
        ("http://c", "HEADERS", "bearer"),
        ("http://c", "TIMEOUT", "soon"),
        ("http://c", "TIMEOUT", "0"),
        ("http://c", "COMPRESSION", "zstd"),
    ],
)
def test_what_cannot_be_meant_is_told(asked, name, value):
    with pytest.raises(EndpointProblem, match=name or "http://localhost:4318"):
        Endpoint.of("traces", asked, {BASE + name: value})
