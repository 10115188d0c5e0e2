"""One project opened for work: the only place where stages are put together.

`Project.open()` finds the store and the settings; each stage is made when it is first asked for, so that a command
imports only what it uses. It has no verbs of its own.
"""

from __future__ import annotations

import os
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypeVar

from mdmem import config as settings
from mdmem.clock import clock
from mdmem.errors import ModelError
from mdmem.store.caller import Caller, caller_of
from mdmem.store.kept import Kept
from mdmem.store.known import known_stores, remember
from mdmem.store.place import store_folder, stores_above
from mdmem.store.reader import Reader
from mdmem.store.scan import INDEX_NAME, OWN_FOLDER

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from datetime import datetime

    from mdmem import git
    from mdmem.extract.asking import Asking
    from mdmem.extract.extraction import ExtractionStage
    from mdmem.extract.jobs import Jobs
    from mdmem.extract.note import Notes
    from mdmem.history.review import Review
    from mdmem.index.embedder import Embedder
    from mdmem.index.embedding import Embedding
    from mdmem.index.index import Index
    from mdmem.index.meaning import Meaning
    from mdmem.index.model import Choice, Model, Places
    from mdmem.index.pull import Fetch
    from mdmem.index.vector_cache import VectorCache
    from mdmem.llm.runner import Runner
    from mdmem.markdown.parse import Document
    from mdmem.search.briefing import Briefing
    from mdmem.search.search import Search
    from mdmem.search.select import Select
    from mdmem.store.extra import ExtraStore
    from mdmem.store.store import Store
    from mdmem.store.table import StoredMemory

_R = TypeVar("_R", bound=Reader)


@dataclass(frozen=True)
class Project:
    """A store, its settings, who is asking and what time it is.

    `only` says that the folder was named by hand: then no other store is joined; `everywhere` joins every store that
    this user has opened.
    """

    root: Path
    loaded: settings.Loaded
    caller: Caller
    now: datetime
    name: str = "project"
    only: bool = False
    everywhere: bool = False
    kept: Kept = field(default_factory=Kept)

    @classmethod
    def open(
        cls,
        folder: Path | None = None,
        *,
        personal: bool = False,
        caller: Caller | None = None,
        environ: Mapping[str, str] | None = None,
        flags: Mapping[str, object] | None = None,
        kept: Kept | None = None,
    ) -> Project:
        """The project of the working folder, of `folder`, or the user's personal memories.

        `kept` holds what an earlier project of this process has opened.
        Raises NoStoreError with what to do, ConfigError for settings that can't be used.
        """
        environ = os.environ if environ is None else environ
        loaded = load_settings(environ, flags)
        asking = caller or caller_of(environ)
        kept = kept or Kept()
        if personal:
            return cls(settings.personal_folder(), loaded, asking, clock(environ), "personal", only=True, kept=kept)
        root = store_folder(Path.cwd(), loaded, folder)
        if folder is None:
            remember(settings.user_state_folder(), root)
        return cls(root, loaded, asking, clock(environ), only=folder is not None, kept=kept)

    @property
    def config(self) -> settings.Config:
        """The settings in force."""
        return self.loaded.config

    @cached_property
    def store(self) -> Store:
        """The memories of this project."""
        return self._opened(self.root, self.name)

    @cached_property
    def stores(self) -> tuple[Store, ...]:
        """The stores that are searched and briefed together: the nearest first, the personal one last."""
        return tuple(self._extra if root is None else self._opened(root, name) for root, name in self._places)

    @cached_property
    def readers(self) -> tuple[Reader, ...]:
        """The same stores, for a command that only reads."""
        return tuple(self._extra if root is None else self._reader(root, name) for root, name in self._places)

    def store_for(self, scope: str) -> Store:
        """Where a memory of that scope belongs: global ones in the personal store."""
        return self.store if scope != "global" or self.only else self._opened(settings.personal_folder(), "personal")

    def _opened(self, root: Path, name: str) -> Store:
        from mdmem.store.store import Store

        return self._kept(Store, root, name)

    def _reader(self, root: Path, name: str) -> Reader:
        return self._kept(_READER, root, name)

    def _kept(self, make: Callable[..., _R], root: Path, name: str) -> _R:
        last_good, mark = self._at_head if root == self.root else None, self.kept.mark_of(root)
        return self.kept.once((make, root, name), lambda: make(root, name=name, last_good=last_good, mark=mark))

    @cached_property
    def _places(self) -> tuple[tuple[Path | None, str], ...]:
        """(root, name) of each store; no root for the memories that the project's settings name."""
        found: list[tuple[Path | None, str]] = [(self.root, self.name)]
        if not self.only:
            found += [(root, os.path.relpath(root, self.root.parent)) for root in stores_above(self.root)]
            found += [(None, "")] if self.config.extra else []
            personal = settings.personal_folder()
            found += [(personal, "personal")] if (personal / INDEX_NAME).is_file() else []
        if self.everywhere and not self.only:
            there = {root for root, _ in found}
            found += [(root, str(root)) for root in known_stores(settings.user_state_folder()) if root not in there]
        return tuple(found)

    @cached_property
    def _extra(self) -> ExtraStore:
        """Read-only memories that the project's settings name."""
        from mdmem.store.extra import ExtraStore

        file = settings.find_project_file(self.root)
        base = file.parent if file else self.root.parent
        return ExtraStore(base, self.config.extra, self.root / OWN_FOLDER / "cache" / "extra")

    @cached_property
    def indexes(self) -> tuple[Index, ...]:
        """The search index of each store."""
        from mdmem.index.index import Index

        spares = settings.user_cache_folder() / "indexes"
        return tuple(self.kept.once((Index, store), partial(Index, store, spares)) for store in self.readers)

    @cached_property
    def search(self) -> Search:
        """Search over all stores that are searched together."""
        from mdmem.search.search import Search

        return Search(
            self.indexes, self.now, lambda: self.meaning, lambda: self.model_choice.without, self.config.search_profile
        )

    def search_with_runs(self) -> Search:
        """The same search, over the summaries and episodes of runs too."""
        from mdmem.index.index import Index
        from mdmem.store.happened import happened_in

        return replace(self.search, indexes=(*self.indexes, *map(Index, happened_in(self.readers))))

    @cached_property
    def meaning(self) -> Meaning | None:
        """Search by meaning; None when memory is off and when there is no model that can be used."""
        if not self.model_choice.model:
            return None
        from mdmem.index.meaning import Meaning

        return self.kept.once((Meaning, self.model_choice.model.digest), lambda: Meaning(self._embedding))

    @cached_property
    def model_choice(self) -> Choice:
        """The embedding model, or why there is none."""
        return model_choice(self.config)

    def _embedding(self) -> Embedding:
        """The embedder and its cache, with the libraries that they need."""
        from mdmem.index.embedding import Embedding

        assert self.model_choice.model is not None
        return Embedding(embedder(self.model_choice.model), vector_cache(self.now))

    @cached_property
    def brief(self) -> Briefing:
        """Briefs over the same stores."""
        from mdmem.search.briefing import Briefing

        return Briefing(self.readers, self.now, is_fit, self.kept)

    @cached_property
    def select(self) -> Select:
        """The few memories for one turn, from the same stores."""
        from mdmem.search.select import Select

        return Select(self.search, self.brief, self.now)

    @cached_property
    def extraction(self) -> ExtractionStage:
        """Learning from finished runs, into this store."""
        from mdmem.extract.extraction import ExtractionStage

        return ExtractionStage(
            self.store, self.now, self.meaning, self.config.extraction_review, self.config.sessions_commit
        )

    @cached_property
    def asking(self) -> Asking:
        """Extraction with a language model, into this store."""
        from mdmem.extract.asking import Asking
        from mdmem.llm.budget import Budget

        budget = Budget(settings.user_state_folder(), self.config.extraction_daily_calls, self.now)
        return Asking(self.store, self.now, budget, self.config.extraction_review)

    @cached_property
    def notes(self) -> Notes:
        """Notes by hand, into this store."""
        from mdmem.extract.note import Notes

        return Notes(self.store, self.now)

    @cached_property
    def review(self) -> Review:
        """What waits for a person in the stores that are briefed together."""
        from mdmem.history.review import Review

        known = {store.name: self.brief.provenance(store) for store in self.readers}

        def author(one: StoredMemory) -> tuple[str, bool]:
            return known[one.store].author(one.path, one.memory.source, one.etag)

        return Review(self.stores, self.now, author)

    @cached_property
    def jobs(self) -> Jobs:
        """The jobs of learning from runs, into this store; each looks at settings and clock anew."""
        from mdmem.extract.jobs import Jobs

        def reopen() -> Project:
            return replace(self, loaded=load_settings(os.environ), now=clock(os.environ))

        return Jobs(self.store, reopen, settings.user_state_folder())

    def runner(self, agent: str, name: str = "", model: str = "") -> Runner | None:
        """What asks a model about a run of `agent`, as the settings say or as named; None when no model is asked."""
        from mdmem.llm.choice import choose

        set_up = self.config.extraction_runner
        model = model or (self.config.extraction_model if name in ("", set_up) else "")
        return choose(name or set_up, model, self.config.extraction_url, agent=agent, environ=os.environ)

    @cached_property
    def repository(self) -> git.Repository | None:
        """The git working tree that holds the store; None outside of one."""
        from mdmem import git

        return git.find(self.root)

    def _at_head(self, path: str) -> bytes | None:
        """A file's last committed bytes: what is searched while the file itself can't be read."""
        from mdmem import git

        return git.contents(self.repository, [path]).get(path) if self.repository else None


def load_settings(environ: Mapping[str, str], flags: Mapping[str, object] | None = None) -> settings.Loaded:
    """The settings in force in the working folder. Raises ConfigError."""
    return settings.load(environ, settings.user_config_file(), settings.find_project_file(Path.cwd()), flags)


def parsed(data: bytes, path: str) -> Document:
    """What a file says; the parser is loaded when the first one has changed."""
    from mdmem.markdown.parse import parse

    return parse(data, path)


_READER: Final = partial(Reader, parse=parsed)


def is_fit(line: str) -> bool:
    """Whether a line of text may stand in a prompt."""
    from mdmem.markdown import screen

    return screen.is_fit(line)


def model_choice(config: settings.Config) -> Choice:
    """The embedding model that search uses, or why there is none."""
    from mdmem.index.model import choose_model

    return choose_model(config.embedding_path, user_places(), is_on=config.memory_enabled)


def user_places() -> Places:
    """The user's folders for models and vectors."""
    from mdmem.index.model import Places

    return Places(settings.user_cache_folder(), settings.user_state_folder())


def vector_cache(now: datetime) -> VectorCache:
    """The vectors that this user has already, for all stores."""
    from mdmem.index.vector_cache import FILE_NAME, VectorCache

    return VectorCache(settings.user_cache_folder() / FILE_NAME, now.date().toordinal())


def embedder(model: Model) -> Embedder:
    """The embedder of a model, with the libraries that it needs. Raises ModelError."""
    from mdmem.index.model import INSTALL, missing_library

    if missing := missing_library():
        raise ModelError(f"{missing} is not installed", INSTALL)
    from mdmem.index.embedder import load_embedder

    return load_embedder(model)


def hub() -> Fetch:
    """What fetches the model from Hugging Face. Raises ModelError when the library for it is not installed."""
    from mdmem.index.pull import unreachable

    if find_spec("huggingface_hub") is None:
        raise unreachable("huggingface_hub is not installed (pip install 'mdmem[hub]')")
    from mdmem.index.hub import fetch

    return fetch
