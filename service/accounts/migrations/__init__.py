"""The history of the tables; `mockup db upgrade` runs the missing ones."""
