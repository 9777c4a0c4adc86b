import pytest
from shop.agent import build


@pytest.fixture(scope="session")
def turngate_agent():
    return build
