"""The addresses that belong to no app: the start, the description of the API."""

import io

import yaml
from django.core.management import call_command


def test_the_start_leads_to_the_admin(client):
    assert client.get("/").headers["Location"] == "/admin/"


def test_the_description_of_the_api_is_complete_and_valid():
    described = io.StringIO()

    call_command("spectacular", "--validate", "--fail-on-warn", stdout=described)

    assert "/api/v1/matches/{code}/actions/" in yaml.safe_load(described.getvalue())["paths"]


def test_the_page_of_the_api_needs_no_other_server(client):
    page = client.get("/api/docs/").content.decode()
    assert "/static/drf_spectacular_sidecar/" in page
    assert "//cdn" not in page


def test_static_files_are_served_without_collecting_them(client, db):
    answer = client.get("/static/unfold/css/styles.css")
    assert answer.status_code == 200
    answer.close()
