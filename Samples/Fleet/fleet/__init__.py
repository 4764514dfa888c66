# SPDX-License-Identifier: MIT
"""Many ADAL caches through `adal2msal stream`: on one machine, on DuckDB and on Apache Spark.

| module | what |
|---|---|
| `child` | lines to a process and its answers, every one, in order, whatever becomes of the process |
| `batches` | the same for Arrow record batches: what Spark and DuckDB have in common |
| `spark`, `duck` | a DataFrame, a DuckDB query |
| `documents` | one document for each home account id, and the table of a web app |
| `made` | made caches, to try it |
"""
