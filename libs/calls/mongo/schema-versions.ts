import type { CallDocument } from './documents.ts';

/** What brings a document from schema version n + 1 to n + 2, as entry n. It gets some or all of the fields, and leaves those alone that it does not know. */
export type Migration = (document: CallDocument) => CallDocument;

/**
 * Append only. A document is migrated when it is read, and written back when it is read to be changed. So a migration may add, split or rename what only records hold; what an
 * index or a query reads has to be there before, by a script that rewrites all documents. A release reads what the next one writes for as long as both run side by side: first
 * ship the reading, then the writing.
 */
export const MIGRATIONS: readonly Migration[] = [];

export class SchemaVersions {
  readonly #migrations: readonly Migration[];

  constructor(migrations: readonly Migration[] = MIGRATIONS) {
    this.#migrations = migrations;
  }

  get current(): number {
    return this.#migrations.length + 1;
  }

  /** @throws Error when a newer release has written the document */
  read(document: CallDocument): CallDocument {
    const { schemaVersion } = document;
    if (schemaVersion === this.current) return document;
    if (schemaVersion > this.current) {
      throw new Error(
        `The call ${document._id} has schema version ${schemaVersion}, and this release knows versions up to ${this.current}: ` +
          'it was written by a newer release. Start that release.',
      );
    }
    const migrated = this.#migrations.slice(schemaVersion - 1).reduce((each, migration) => migration(each), document);
    return { ...migrated, schemaVersion: this.current };
  }
}
