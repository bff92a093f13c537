/**
 * Entry n migrates a database from version n to n + 1 (`PRAGMA user_version`); never edit one that has shipped. Times
 * are milliseconds since 1970.
 */
export const MIGRATIONS: readonly string[] = [
  `
  -- The narrow rows that lists and the dispatcher read. Transcripts and analyses have tables of their own, because
  -- SQLite rewrites a whole row on every update.
  CREATE TABLE calls (
    seq INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    account_id TEXT NOT NULL,
    file_name TEXT NOT NULL,
    report_type TEXT NOT NULL,
    status TEXT NOT NULL,
    stage TEXT,
    version INTEGER NOT NULL,
    audio_key TEXT NOT NULL,
    audio_bytes INTEGER NOT NULL,
    audio_format TEXT NOT NULL,
    audio_seconds REAL NOT NULL,
    audio_delete_after INTEGER,
    audio_deleted_at INTEGER,
    attempt INTEGER NOT NULL,
    failures INTEGER NOT NULL,
    lease_worker TEXT,
    lease_since INTEGER,
    lease_until INTEGER,
    granted_until INTEGER,
    next_attempt_at INTEGER,
    ready_since INTEGER NOT NULL,
    last_failure TEXT,
    failure TEXT,
    language TEXT,
    product TEXT,
    sale_status TEXT,
    score INTEGER,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    idempotency_key TEXT,
    idempotency_fingerprint TEXT
  ) STRICT;

  CREATE INDEX calls_by_date ON calls (account_id, created_at, id);
  CREATE INDEX calls_by_status ON calls (account_id, status, created_at, id);
  CREATE UNIQUE INDEX calls_by_idempotency_key ON calls (account_id, idempotency_key) WHERE idempotency_key IS NOT NULL;

  -- Each waiting call is in exactly one of the next four indexes, and no finished call is, so the dispatcher's queries
  -- cost the same for any number of these. The last columns repeat the conditions, so that counting needs no row.
  CREATE INDEX calls_leased ON calls (stage, account_id, lease_until, lease_since) WHERE lease_until IS NOT NULL;
  CREATE INDEX calls_granted ON calls (stage, account_id, granted_until, next_attempt_at, lease_until)
    WHERE lease_until IS NULL AND granted_until IS NOT NULL;
  CREATE INDEX calls_delayed ON calls (stage, account_id, next_attempt_at, lease_until, granted_until)
    WHERE lease_until IS NULL AND granted_until IS NULL AND next_attempt_at IS NOT NULL;
  CREATE INDEX calls_ready ON calls (stage, account_id, ready_since, lease_until, granted_until, next_attempt_at)
    WHERE stage IS NOT NULL AND lease_until IS NULL AND granted_until IS NULL AND next_attempt_at IS NULL;
  CREATE INDEX calls_by_next_attempt ON calls (next_attempt_at)
    WHERE lease_until IS NULL AND granted_until IS NULL AND next_attempt_at IS NOT NULL;

  CREATE INDEX calls_audio_due ON calls (audio_delete_after)
    WHERE audio_delete_after IS NOT NULL AND audio_deleted_at IS NULL;
  CREATE INDEX calls_by_audio_key ON calls (audio_key) WHERE audio_deleted_at IS NULL;

  CREATE TABLE transcripts (call_seq INTEGER PRIMARY KEY REFERENCES calls (seq), body TEXT NOT NULL) STRICT;
  CREATE TABLE analyses (call_seq INTEGER PRIMARY KEY REFERENCES calls (seq), body TEXT NOT NULL) STRICT;

  CREATE TABLE segments (
    call_seq INTEGER NOT NULL REFERENCES calls (seq),
    key TEXT NOT NULL,
    body TEXT NOT NULL,
    UNIQUE (call_seq, key)
  ) STRICT;

  CREATE TABLE outbox (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    type TEXT NOT NULL,
    call_id TEXT NOT NULL,
    account_id TEXT NOT NULL,
    at INTEGER NOT NULL
  ) STRICT;

  CREATE TABLE call_counts (
    account_id TEXT NOT NULL,
    status TEXT NOT NULL,
    calls INTEGER NOT NULL,
    PRIMARY KEY (account_id, status)
  ) STRICT, WITHOUT ROWID;

  CREATE TRIGGER calls_count_new AFTER INSERT ON calls BEGIN
    INSERT INTO call_counts VALUES (new.account_id, new.status, 1) ON CONFLICT DO UPDATE SET calls = calls + 1;
  END;
  CREATE TRIGGER calls_count_moved AFTER UPDATE OF status ON calls WHEN old.status <> new.status BEGIN
    UPDATE call_counts SET calls = calls - 1 WHERE account_id = old.account_id AND status = old.status;
    INSERT INTO call_counts VALUES (new.account_id, new.status, 1) ON CONFLICT DO UPDATE SET calls = calls + 1;
  END;
  `,
  `
  ALTER TABLE calls ADD COLUMN traceparent TEXT;
  ALTER TABLE outbox ADD COLUMN traceparent TEXT;

  CREATE TABLE leaders (role TEXT PRIMARY KEY, holder TEXT NOT NULL, until INTEGER NOT NULL) STRICT, WITHOUT ROWID;
  `,
  // Removed calls are in no index that an account's calls are read from, and are not counted.
  `
  ALTER TABLE calls ADD COLUMN removed_at INTEGER;
  ALTER TABLE calls ADD COLUMN removed_until INTEGER;
  ALTER TABLE calls ADD COLUMN removed_stage TEXT;
  ALTER TABLE calls ADD COLUMN removed_final INTEGER;

  DROP INDEX calls_by_date;
  DROP INDEX calls_by_status;
  CREATE INDEX calls_by_date ON calls (account_id, created_at, id) WHERE removed_at IS NULL;
  CREATE INDEX calls_by_status ON calls (account_id, status, created_at, id) WHERE removed_at IS NULL;
  CREATE INDEX calls_removed ON calls (removed_until) WHERE removed_until IS NOT NULL;

  DROP TRIGGER calls_count_new;
  DROP TRIGGER calls_count_moved;
  CREATE TRIGGER calls_count_new AFTER INSERT ON calls WHEN new.removed_at IS NULL BEGIN
    INSERT INTO call_counts VALUES (new.account_id, new.status, 1) ON CONFLICT DO UPDATE SET calls = calls + 1;
  END;
  CREATE TRIGGER calls_count_less AFTER UPDATE OF status, removed_at ON calls
  WHEN old.removed_at IS NULL AND (new.removed_at IS NOT NULL OR new.status <> old.status) BEGIN
    UPDATE call_counts SET calls = calls - 1 WHERE account_id = old.account_id AND status = old.status;
  END;
  CREATE TRIGGER calls_count_more AFTER UPDATE OF status, removed_at ON calls
  WHEN new.removed_at IS NULL AND (old.removed_at IS NOT NULL OR new.status <> old.status) BEGIN
    INSERT INTO call_counts VALUES (new.account_id, new.status, 1) ON CONFLICT DO UPDATE SET calls = calls + 1;
  END;
  CREATE TRIGGER calls_count_gone AFTER DELETE ON calls WHEN old.removed_at IS NULL BEGIN
    UPDATE call_counts SET calls = calls - 1 WHERE account_id = old.account_id AND status = old.status;
  END;
  `,
  // The findings of an analysis that the overview counts: reading hundreds of whole analyses would take long.
  `
  CREATE TABLE remarks (call_seq INTEGER PRIMARY KEY REFERENCES calls (seq), body TEXT NOT NULL) STRICT;
  INSERT INTO remarks SELECT call_seq, json_object(
    'objections', (SELECT json_group_array(json_extract(value, '$.text')) FROM json_each(body, '$.objections')),
    'mistakes', (SELECT json_group_array(json_extract(value, '$.text')) FROM json_each(body, '$.managerMistakes')))
    FROM analyses;
  `,
  `
  CREATE TABLE removed_accounts (id TEXT PRIMARY KEY, at INTEGER NOT NULL, is_emptied INTEGER NOT NULL)
    STRICT, WITHOUT ROWID;
  CREATE INDEX removed_accounts_to_empty ON removed_accounts (at) WHERE is_emptied = 0;
  `,
  // The words of each call, folded and without the texts themselves. Each word begins with eight characters that stand
  // for the account (search.ts), so that a search reads no other account's words; the prefix indexes serve the first
  // letters.
  `
  CREATE VIRTUAL TABLE call_words
    USING fts5 (words, content='', contentless_delete=1, detail=none, tokenize='ascii', prefix='9 10');
  CREATE TABLE calls_to_index (up_to INTEGER NOT NULL) STRICT;
  INSERT INTO calls_to_index SELECT coalesce(max(seq), 0) FROM calls;
  `,
  `
  CREATE TABLE workers (stage TEXT NOT NULL, worker TEXT NOT NULL, calls INTEGER NOT NULL, until INTEGER NOT NULL,
    PRIMARY KEY (stage, worker))
    STRICT, WITHOUT ROWID;
  `,
  `
  ALTER TABLE calls ADD COLUMN waiting_for TEXT;
  ALTER TABLE calls ADD COLUMN waiting_since INTEGER;
  ALTER TABLE calls ADD COLUMN retries INTEGER NOT NULL DEFAULT 0;
  CREATE INDEX calls_waiting ON calls (waiting_for, stage, account_id, waiting_since)
    WHERE stage IS NOT NULL AND waiting_for IS NOT NULL;
  `,
  `
  CREATE INDEX calls_finished ON calls (account_id, updated_at, stage, removed_at)
    WHERE stage IS NULL AND removed_at IS NULL;
  `,
  'ALTER TABLE calls ADD COLUMN audio_seconds_done REAL NOT NULL DEFAULT 0',
  `
  CREATE TABLE vocabularies (call_seq INTEGER PRIMARY KEY REFERENCES calls (seq), body TEXT NOT NULL) STRICT;
  CREATE TABLE account_settings (
    account_id TEXT NOT NULL,
    name TEXT NOT NULL,
    revision INTEGER NOT NULL,
    body TEXT NOT NULL,
    PRIMARY KEY (account_id, name)
  ) STRICT, WITHOUT ROWID;
  `,
  'ALTER TABLE calls ADD COLUMN tracker_results TEXT',
  'ALTER TABLE calls ADD COLUMN corrections TEXT',
  'ALTER TABLE calls ADD COLUMN earlier_analyses TEXT',
  // What an attempt has cost, and the sum of an account on a day (UTC).
  `
  CREATE TABLE costs (
    call_seq INTEGER NOT NULL REFERENCES calls (seq),
    attempt INTEGER NOT NULL,
    stage TEXT NOT NULL,
    engine TEXT NOT NULL,
    model TEXT NOT NULL,
    dollars REAL NOT NULL,
    at INTEGER NOT NULL,
    PRIMARY KEY (call_seq, attempt)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE spending (
    day TEXT NOT NULL,
    account_id TEXT NOT NULL,
    dollars REAL NOT NULL,
    at INTEGER NOT NULL,
    PRIMARY KEY (day, account_id)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX spending_of_account ON spending (account_id);
  `,
  'ALTER TABLE calls ADD COLUMN analysis_engine TEXT',
  // Null until a call has cost something: then its length as far as it is in `spending`.
  `
  ALTER TABLE calls ADD COLUMN paid_seconds REAL;
  ALTER TABLE spending ADD COLUMN transcription REAL NOT NULL DEFAULT 0;
  ALTER TABLE spending ADD COLUMN analysis REAL NOT NULL DEFAULT 0;
  ALTER TABLE spending ADD COLUMN calls INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE spending ADD COLUMN attempts INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE spending ADD COLUMN seconds REAL NOT NULL DEFAULT 0;
  `,
  // Of a cost whose price is not known, `dollars` is 0.
  `
  ALTER TABLE costs ADD COLUMN is_priced INTEGER NOT NULL DEFAULT 1;
  ALTER TABLE spending ADD COLUMN unpriced_transcription INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE spending ADD COLUMN unpriced_analysis INTEGER NOT NULL DEFAULT 0;
  `,
  'CREATE TABLE drains (stage TEXT PRIMARY KEY, since INTEGER NOT NULL) STRICT, WITHOUT ROWID',
];
