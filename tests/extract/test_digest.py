"""The digest: whole within its length, conclusions kept, secrets and inputs left out."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from mdmem.extract.digest import DIGEST_LENGTH, changed_files, digest
from support.runs import Transcript, worked

WORDS = st.text(alphabet="abc äé\n.", max_size=3000)


def test_the_four_parts() -> None:
    run = worked().bash("make test", "Exit code 2\nno rule to make", failed=True).agent("It fails: no rule.")
    assert digest(run.read()) == (
        "## User asked\n- Add a crane to the model.\n\n"
        "## Files changed\n- src/crane.py\n\n"
        "## Tool activity\n- Edit: The file was updated.\n- Bash FAILED: Exit code 2 no rule to make\n\n"
        "## Agent said\n- The crane is in.\n- It fails: no rule."
    )


def test_an_empty_run_has_none() -> None:
    assert digest(Transcript().read()) == ""


def test_secrets_and_inputs_stay_out() -> None:
    token = "ghp_" + "Ab3dE6gH9jK2mN5pQ8sT1vW4xY7zA0cD3fG6"[:36]
    text = digest(worked().bash("cat .secret-input", f"TOKEN={token}").user(f"it is {token}").read())
    assert token not in text
    assert ".secret-input" not in text


def test_the_conclusion_is_whole_however_much_was_done() -> None:
    run = Transcript()
    for number in range(300):
        run.user(f"step {number} " + "please " * 60).bash("make", "output " * 80).agent("working " * 200)
    conclusion = "The cause was the tide table. " * 40
    text = digest(run.agent(conclusion).read())
    assert conclusion.strip() in text
    assert "step 0 " in text
    assert "step 299 " in text
    assert len(text) <= DIGEST_LENGTH


def test_files_are_named_once_and_only_those_of_the_repository() -> None:
    run = worked().edit().edit("/tmp/scratch.py").call("Write", file_path="/home/ada/dock/b.py").refuse("no")
    assert changed_files(run.read()) == ("src/crane.py",)


@given(st.lists(st.tuples(WORDS, WORDS, WORDS), max_size=30))
def test_it_never_exceeds_its_length(turns: list[tuple[str, str, str]]) -> None:
    run = Transcript()
    for asked, output, answer in turns:
        run.user(asked).bash("make", output, failed=len(output) % 2 == 0).agent(answer)
    assert len(digest(run.read())) <= DIGEST_LENGTH
