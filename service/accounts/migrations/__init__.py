"""The history of the tables; `mockup db upgrade` runs what is missing."""
