import json
import pytest
from tests.site import scenario
from tests.site.test_openapi import misfit, schema, described  # noqa
pytestmark = pytest.mark.django_db
def test_it(misfit, schema):
    story = scenario.Story()
    scenario.ratings(story)
    for call in story.calls.made:
        answer = described(schema, call)["responses"].get(str(call.status))
        assert answer
        assert misfit(answer["content"][call.media], call.body) is None, (call.url, call.body)
        print(call.url, json.dumps(call.body)[:400])
