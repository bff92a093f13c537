import type { CallSort, CallStatus, ReportType, SaleStatus, Wait } from '@call-analytics/contracts';

const statuses: Record<CallStatus, string> = {
  queued: 'Queued',
  transcribing: 'Transcribing',
  analyzing: 'Analyzing',
  completed: 'Completed',
  failed: 'Failed',
};

const waitingFor: Record<Wait, string> = {
  speech_engine: 'Waiting for the speech engine',
  analysis_engine: 'Waiting for the analysis engine',
  storage: 'Waiting for storage',
  decoder: 'Waiting for the audio decoder',
  spending_limit: 'Waiting: daily spending limit',
};

const saleStatuses: Record<SaleStatus, string> = {
  sold: 'Sold',
  follow_up: 'Follow-up',
  not_sold: 'Not sold',
  unclear: 'Unclear',
};

const reportTypes: Record<ReportType, string> = { high_level: 'Short', medium: 'Medium', detailed: 'Detailed' };

const columns: Record<CallSort | 'status' | 'saleStatus' | 'product', string> = {
  fileName: 'Recording',
  status: 'Status',
  score: 'Score',
  saleStatus: 'Outcome',
  product: 'Product',
  createdAt: 'Uploaded',
};

const count = (calls: number) => (calls === 1 ? '1 call' : `${calls.toLocaleString('en')} calls`);

export const calls = {
  title: 'Calls',
  count,
  statuses,
  waitingFor,
  queued: (position: number) => `Queued, ${position === 1 ? 'next' : `no. ${position.toLocaleString('en')}`}`,
  saleStatuses,
  columns,
  none: '–',
  score: (score: number) => `${score} of 100`,

  filters: {
    label: 'Filters',
    show: 'Filters',
    text: 'Search calls and transcripts',
    status: 'Status',
    anyStatus: 'Any status',
    sale: 'Outcome',
    anySale: 'Any outcome',
    from: 'From',
    to: 'To',
    sort: 'Sort by',
    reset: 'Clear filters',
    tracker: { found: (name: string) => `Said: ${name}`, missing: (name: string) => `Missing: ${name}` },
    removeTracker: (shown: string) => `${shown}. Remove this filter`,
    sorts: {
      'createdAt.desc': 'Newest first',
      'createdAt.asc': 'Oldest first',
      'score.desc': 'Highest score first',
      'score.asc': 'Lowest score first',
      'fileName.asc': 'Name, A to Z',
      'fileName.desc': 'Name, Z to A',
    },
  },
  ignored: (parameters: readonly string[]) =>
    parameters.length === 1
      ? `The link contains an invalid filter, which was ignored: “${parameters[0]}”.`
      : `The link contains invalid filters, which were ignored: ${parameters.map((each) => `“${each}”`).join(', ')}.`,

  tableLabel: 'Calls',
  select: (fileName: string) => `Select ${fileName}`,
  selectAll: 'Select all on this page',
  selected: (calls: number) => `${count(calls)} selected`,
  unselect: 'Clear selection',
  clear: 'Clear',
  shown: (from: number, to: number, total: number) =>
    `${from.toLocaleString('en')}–${to.toLocaleString('en')} of ${total.toLocaleString('en')}`,
  pages: 'Pages',
  previousPage: 'Previous page',
  nextPage: 'Next page',
  page: (page: number) => `Page ${page}`,
  beyond: 'Page not found',
  beyondWhy: 'Some calls may have been deleted.',
  firstPage: 'Go to first page',

  empty: 'No calls yet',
  emptyHow:
    'Drop a recording of a sales call anywhere in this window. You get a transcript, a score and recommendations.',
  emptyApi: 'Or upload recordings with the API:',
  emptyKeys: 'create an API key',
  emptyAnd: 'and',
  emptyDocs: 'follow the quick start',
  nothingMatches: 'No matching calls',
  nothingMatchesWhy: 'Remove a filter or shorten your search.',

  deletion: {
    delete: 'Delete',
    deleted: (calls: number) => (calls === 1 ? 'Call deleted' : `${count(calls)} deleted`),
    permanent: 'You can undo this for a short time. After that it is permanent.',
    undo: 'Undo',
    restored: (calls: number) => (calls === 1 ? 'Call restored' : `${count(calls)} restored`),
    failed: (calls: number) => (calls === 1 ? 'Could not delete the call' : `Could not delete ${count(calls)}`),
    notRestored: (calls: number) => (calls === 1 ? 'Could not restore the call' : `Could not restore ${count(calls)}`),
  },

  upload: {
    upload: 'Upload',
    choose: 'Choose files',
    formats: (formats: readonly string[], size: string) =>
      `${formats.map((format) => format.toUpperCase()).join(', ')}, up to ${size}`,
    drop: 'Drop recordings to upload them',
    dropHow: 'Each file becomes one call.',
    reportType: 'Report',
    language: 'Language of the recordings',
    detectLanguage: 'Detect language',
    reportTypes,
    tray: 'Uploads',
    heading: (open: number, done: number, refused: number) =>
      [
        ...(open > 0 ? [`Uploading ${open}`] : []),
        ...(done > 0 ? [`${done} uploaded`] : []),
        ...(refused > 0 ? [`${refused} failed`] : []),
      ].join(', '),
    fold: 'Collapse uploads',
    unfold: 'Expand uploads',
    clear: 'Clear finished',
    cancel: (fileName: string) => `Cancel upload of ${fileName}`,
    dismiss: (fileName: string) => `Remove ${fileName} from the list`,
    retry: 'Try again',
    open: 'Open report',
    look: 'View call',
    progress: (fileName: string) => `Upload of ${fileName}`,
    waiting: 'Waiting',
    signIn: 'Waiting for you to sign in',
    sending: (sent: string, total: string, percent: number) => `${percent}% · ${sent} of ${total}`,
    speed: (speed: string) => `${speed}/s`,
    left: (time: string) => `${time} left`,
    checking: 'Checking',
    pausing: 'Retrying automatically…',
    empty: 'The file is empty. Check that the recording was saved, then choose it again.',
    unreadable: 'The file can no longer be read. It was moved, changed or deleted. Choose it again.',
    lost: 'Connection lost. The file is kept.',
    tooLarge: (size: string, limit: string) =>
      `The file is ${size}. The limit is ${limit}. Export it as MP3 or split it.`,
    bytes: (bytes: string) => `${bytes} bytes`,
    noWords: (status: number) => `The upload failed with HTTP status ${status}.`,
    accepted: 'Uploaded',
    gone: 'Deleted',
  },
};
