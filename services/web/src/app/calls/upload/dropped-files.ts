/**
 * The files of a drop, those in folders too. Must be called while the event is handled: afterwards a browser empties it.
 * @returns the files; a folder that cannot be read is left out
 */
export async function droppedFiles(transfer: DataTransfer): Promise<File[]> {
  const items = [...transfer.items].filter(({ kind }) => kind === 'file');
  // Both before the first wait, for the same reason.
  const found = items.map((item) => ({ entry: item.webkitGetAsEntry?.() ?? null, file: item.getAsFile() }));
  const files = found.map(({ entry, file }) =>
    entry?.isDirectory ? filesIn(entry as FileSystemDirectoryEntry) : file === null ? [] : [file],
  );
  return (await Promise.all(files)).flat();
}

async function filesIn(folder: FileSystemDirectoryEntry): Promise<File[]> {
  const reader = folder.createReader();
  const files: File[] = [];
  try {
    // It gives some of them at a time, and none at the end.
    for (;;) {
      const entries = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
      if (entries.length === 0) return files;
      const inside = entries.map((entry) =>
        entry.isDirectory ? filesIn(entry as FileSystemDirectoryEntry) : fileOf(entry as FileSystemFileEntry),
      );
      files.push(...(await Promise.all(inside)).flat());
    }
  } catch {
    return files;
  }
}

function fileOf(entry: FileSystemFileEntry): Promise<File[]> {
  // Hidden files, such as .DS_Store, come with every folder.
  if (entry.name.startsWith('.')) return Promise.resolve([]);
  return new Promise((resolve) =>
    entry.file(
      (file) => resolve([file]),
      () => resolve([]),
    ),
  );
}
