export interface Terminal {
  write(text: string): unknown;
  /** Whether somebody watches, so that a line can be written over. */
  isTTY?: boolean;
}

interface Progress {
  show(progress: { bytes: number; totalBytes: number }): void;
  /** Leaves the line of the bar. */
  end(): void;
}

const BAR_CELLS = 30;

/** A bar where somebody watches; elsewhere, such as in the log of a build, a line for each tenth. */
export function progressOn(out: Terminal): Progress {
  let shown = '';
  const show = ({ bytes, totalBytes }: { bytes: number; totalBytes: number }) => {
    const share = bytes / totalBytes;
    const done = `${Math.round(bytes / 1e6)} of ${Math.round(totalBytes / 1e6)} MB`;
    const cells = Math.floor(share * BAR_CELLS);
    const text = out.isTTY
      ? `\r${'█'.repeat(cells)}${'░'.repeat(BAR_CELLS - cells)} ${String(Math.floor(share * 100)).padStart(3)} %  ${done}`
      : `${Math.floor(share * 10) * 10} %\n`;
    if (text === shown) return;
    shown = text;
    out.write(text);
  };
  const end = () => {
    if (out.isTTY && shown !== '') out.write('\n');
    shown = '';
  };
  return { show, end };
}
