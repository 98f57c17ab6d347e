"""Saved projects: named settings of a user, with devices, a store set and a film if there are any."""

from __future__ import annotations

import unicodedata
import uuid
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any
from uuid import UUID

import orjson
from sqlalchemy import Row, delete, func, insert, select, update

from ..errors import Detail, counted, invalid, refusal
from ..limits import PAGE, PAGE_BYTES, PROJECT_NAME_LENGTH
from .database import Database
from .pages import cursor, ordered, uuid_position
from .tables import now, projects, users


@dataclass(frozen=True, slots=True)
class Project:
    """Settings under a name; `user_id` is the owner.

    `parts` are the members beside the settings: the devices, set and film, if the project has them.
    """

    id: UUID
    user_id: UUID
    name: str
    settings: dict[str, Any]
    parts: dict[str, Any]
    created_at: datetime
    updated_at: datetime

    def size_of(self, part: str) -> int:
        """The size of one of the parts as JSON, bytes."""
        return len(orjson.dumps(self.parts[part]))


@dataclass(frozen=True, slots=True)
class Page:
    """A page of projects, oldest first; `next` is the cursor of the following page, or None."""

    projects: list[Project]
    next: str | None


class Projects:
    """All saved projects; at most `most` per user, with `size` bytes of JSON each."""

    def __init__(self, database: Database, most: int, size: int) -> None:
        self._database = database
        self._most = most
        self._size = size

    def page(self, user_id: UUID | None, limit: int = PAGE, after: str | None = None) -> Page:
        """A page of up to `limit` projects of a user or of all users, oldest first, from the cursor `after`,
        which is the `next` of the page before."""
        statement = select(projects)
        if user_id is not None:
            statement = statement.where(projects.c.user_id == user_id)
        statement = ordered(statement, (projects.c.created_at, projects.c.id), uuid_position(after))
        statement = statement.limit(limit + 1)
        found: list[Project] = []
        size = 0
        with self._database.read() as connection:
            for row in connection.execute(statement):
                size += len(row.settings) + len(row.parts or "")
                if found and (len(found) == limit or size > PAGE_BYTES):
                    return Page(found, _next(found[-1]))
                found.append(_project(row))
        return Page(found, None)

    def list(self, user_id: UUID) -> list[Project]:
        """All projects of a user, oldest first."""
        page = self.page(user_id)
        found = page.projects
        while page.next is not None:
            page = self.page(user_id, after=page.next)
            found += page.projects
        return found

    def get(self, project_id: UUID | str) -> Project | None:
        """A project of any user, or None; raises ValueError if the id is not a UUID."""
        statement = select(projects).where(projects.c.id == _uuid(project_id))
        row = self._database.first(statement)
        return None if row is None else _project(row)

    def save(
        self, user_id: UUID, name: str, settings: dict[str, Any], parts: dict[str, Any] | None = None
    ) -> Project:
        """Save a new project; raises `INVALID_REQUEST` for a bad name, and beyond the limits."""
        moment = now()
        project = Project(uuid.uuid4(), user_id, name, settings, parts or {}, moment, moment)
        content = self._content(project, tuple(_misnamed(name)))
        with self._database.write() as connection:
            # Lock the owner's row (in SQLite the whole database), so that concurrent saves respect the limit.
            connection.execute(select(users.c.id).where(users.c.id == user_id).with_for_update())
            mine = select(func.count()).select_from(projects).where(projects.c.user_id == user_id)
            if connection.execute(mine).scalar_one() >= self._most:
                raise invalid(f"A user can save at most {counted(self._most, 'project')}")
            connection.execute(
                insert(projects).values(
                    id=project.id,
                    user_id=user_id,
                    name=name,
                    created_at=moment,
                    updated_at=moment,
                    **content,
                )
            )
        return project

    def replace(
        self, project_id: UUID, name: str, settings: dict[str, Any], parts: dict[str, Any] | None = None
    ) -> Project | None:
        """Replace a project's name and contents; None if there is no such project."""
        return self._update(project_id, name=name, settings=settings, parts=parts or {})

    def rename(self, project_id: UUID, name: str) -> Project | None:
        """Give a project another name; None if there is no such project."""
        return self._update(project_id, name=name)

    def _update(self, project_id: UUID, **changes: Any) -> Project | None:
        statement = select(projects).where(projects.c.id == project_id).with_for_update()
        with self._database.write() as connection:
            row = connection.execute(statement).first()
            if row is None:
                return None
            new = replace(_project(row), updated_at=now(), **changes)
            faults = tuple(_misnamed(new.name))
            if "settings" in changes:
                content = self._content(new, faults)
            elif faults:
                raise refusal(*faults)
            else:
                content = {}
            values = {"name": new.name, "updated_at": new.updated_at, **content}
            connection.execute(update(projects).where(projects.c.id == new.id).values(values))
        return new

    def delete(self, project_id: UUID | str) -> bool:
        """Delete a project; False if there was none."""
        with self._database.write() as connection:
            return connection.execute(delete(projects).where(projects.c.id == _uuid(project_id))).rowcount > 0

    def _content(self, project: Project, faults: Sequence[Detail]) -> dict[str, str | None]:
        """A project's contents as JSON text by column; raises a 400 for `faults` and for contents that are
        too large."""
        settings = orjson.dumps(project.settings)
        parts = orjson.dumps(project.parts) if project.parts else b""
        size = len(settings) + len(parts)
        if size > self._size:
            # If the settings alone are within the limit, the largest of the other parts is at fault.
            path = "settings" if len(settings) > self._size else max(project.parts, key=project.size_of)
            text = f"expected at most {self._size} bytes of JSON in the whole project, got {size}"
            faults = *faults, Detail(path, text)
        if faults:
            raise refusal(*faults)
        return {"settings": settings.decode(), "parts": parts.decode() or None}


def _misnamed(name: str) -> Iterator[Detail]:
    """The fault of a name, if it has one."""
    if not 1 <= len(name.strip()) <= len(name) <= PROJECT_NAME_LENGTH or any(map(_is_control, name)):
        yield Detail("name", f"expected 1 to {PROJECT_NAME_LENGTH} characters, none of them control codes")


def _next(project: Project) -> str:
    return cursor(project.created_at, project.id.bytes)


def _is_control(character: str) -> bool:
    # Cc are control codes; Cs are lone surrogates, which no database accepts.
    return unicodedata.category(character) in ("Cc", "Cs")


def _uuid(value: UUID | str) -> UUID:
    return value if isinstance(value, UUID) else UUID(value)


def _project(row: Row[Any]) -> Project:
    settings, parts = orjson.loads(row.settings), orjson.loads(row.parts) if row.parts else {}
    return Project(row.id, row.user_id, row.name, settings, parts, row.created_at, row.updated_at)
