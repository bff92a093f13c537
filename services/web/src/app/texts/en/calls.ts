import type { CallSort, CallStatus, ReportType, SaleStatus } from '@call-analytics/contracts';

const statuses: Record<CallStatus, string> = {
  queued: 'Queued',
  transcribing: 'Transcribing',
  analyzing: 'Analysing',
  completed: 'Completed',
  failed: 'Failed',
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
  status: 'State',
  score: 'Score',
  saleStatus: 'Sale',
  product: 'Product',
  createdAt: 'Uploaded',
};

const count = (calls: number) => (calls === 1 ? '1 call' : `${calls.toLocaleString('en')} calls`);

export const calls = {
  title: 'Calls',
  count,
  statuses,
  saleStatuses,
  columns,
  none: '–',
  score: (score: number) => `${score} of 100`,

  filters: {
    label: 'Filters',
    show: 'Filters',
    text: 'Search by recording or product',
    status: 'State',
    anyStatus: 'Any state',
    sale: 'Sale',
    anySale: 'Any sale status',
    from: 'From',
    to: 'To',
    sort: 'Sort by',
    reset: 'Reset filters',
    sorts: {
      'createdAt.desc': 'Newest first',
      'createdAt.asc': 'Oldest first',
      'score.desc': 'Best score first',
      'score.asc': 'Lowest score first',
      'fileName.asc': 'Name, A to Z',
      'fileName.desc': 'Name, Z to A',
    },
  },
  ignored: (parameters: readonly string[]) =>
    parameters.length === 1
      ? `The address says “${parameters[0]}”, which means nothing here: it was left out.`
      : `The address says ${parameters.map((parameter) => `“${parameter}”`).join(', ')}, which mean nothing here: they were left out.`,

  tableLabel: 'Calls',
  select: (fileName: string) => `Select ${fileName}`,
  selectAll: 'Select all on this page',
  selected: (calls: number) => `${count(calls)} selected`,
  unselect: 'Clear selection',
  sortBy: (column: string) => `Sort by ${column}`,
  shown: (from: number, to: number, total: number) =>
    `${from.toLocaleString('en')}–${to.toLocaleString('en')} of ${total.toLocaleString('en')}`,
  pages: 'Pages',
  previousPage: 'Previous page',
  nextPage: 'Next page',
  page: (page: number) => `Page ${page}`,
  beyond: 'There is no such page',
  beyondWhy: 'Calls may have been deleted meanwhile.',
  firstPage: 'Go to the first page',

  empty: 'No calls yet',
  emptyHow: 'Drop a recording of a sales call here, or anywhere in this window. Its transcript, score and advice appear by themselves.',
  emptyApi: 'Or send recordings from your own systems:',
  emptyKeys: 'make an API key',
  emptyAnd: 'and read',
  emptyDocs: 'how to use it',
  nothingMatches: 'No call matches',
  nothingMatchesWhy: 'Take a filter away, or search for less.',

  deletion: {
    delete: 'Delete',
    deleted: (calls: number) => (calls === 1 ? 'The call was deleted' : `${count(calls)} were deleted`),
    forGood: 'Recording, transcript and report are gone for good in 30 seconds.',
    undo: 'Undo',
    restored: (calls: number) => (calls === 1 ? 'The call is back' : `${count(calls)} are back`),
    failed: (calls: number) => (calls === 1 ? 'The call was not deleted' : `${count(calls)} were not deleted`),
    notRestored: (calls: number) => (calls === 1 ? 'The call could not be brought back' : `${count(calls)} could not be brought back`),
  },

  upload: {
    upload: 'Upload',
    choose: 'Choose files',
    formats: (formats: readonly string[], size: string) => `${formats.map((format) => format.toUpperCase()).join(', ')}, up to ${size}`,
    drop: 'Drop recordings to upload them',
    dropHow: 'Each file becomes a call of its own.',
    reportType: 'Report',
    reportTypes,
    tray: 'Uploads',
    heading: (open: number, done: number, refused: number) =>
      [
        ...(open > 0 ? [`${open} to go`] : []),
        ...(done > 0 ? [`${done} uploaded`] : []),
        ...(refused > 0 ? [`${refused} refused`] : []),
      ].join(', '),
    fold: 'Show less',
    unfold: 'Show the uploads',
    clear: 'Clear finished',
    cancel: (fileName: string) => `Cancel the upload of ${fileName}`,
    dismiss: (fileName: string) => `Remove ${fileName} from the uploads`,
    retry: 'Try again',
    open: 'Open the report',
    look: 'Open the call',
    progress: (fileName: string) => `Upload of ${fileName}`,
    waiting: 'Waiting for its turn',
    signIn: 'Kept until you have signed in again',
    sending: (sent: string, total: string, percent: number) => `${percent}% · ${sent} of ${total}`,
    speed: (speed: string) => `${speed}/s`,
    left: (time: string) => `${time} left`,
    checking: 'Sent; being looked at',
    pausing: 'Trying again by itself…',
    empty: 'The file is empty. Check that the recording was saved, and choose it again.',
    unreadable: 'The file can no longer be read: it was moved, changed or deleted. Choose it again.',
    lost: 'The connection was lost. The file is kept.',
    tooLarge: (size: string, limit: string) => `The file has ${size}; this installation takes up to ${limit}. Export it as MP3, or cut it.`,
    noWords: (status: number) => `The upload was refused (${status}).`,
    accepted: 'Uploaded',
    gone: 'Deleted',
    states: {
      queued: 'Uploaded, in the queue',
      transcribing: 'Being transcribed',
      analyzing: 'Being analysed',
      completed: 'The report is ready',
      failed: 'The call failed',
    } satisfies Record<CallStatus, string>,
  },
};
