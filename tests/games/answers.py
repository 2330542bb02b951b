"""What answers of the API say, in the shape that tests compare."""

from typing import Any


def refusal(answer: Any) -> tuple[int, str]:
    return answer.status_code, answer.json()["code"]


def texts(answer: Any) -> list[str]:
    """What was said, of an answer of chat."""
    return [message["text"] for message in answer.json()["messages"]]
