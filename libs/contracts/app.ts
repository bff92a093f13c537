import { z } from 'zod';
import { CallListItem, CallsQuery, callsLimit } from './http.ts';
import { LISTED_RESULTS, TrackerCounts } from './trackers.ts';
import { AUDIO_FORMATS, KEY_SCOPES, REPORT_TYPES, SALE_STATUSES, type SaleStatus, WAITS } from './values.ts';

// The schemas of `/app`, the API of the web application. As in http.ts, they validate requests, type both sides and
// generate the OpenAPI document.

const timestamp = z.iso.datetime().describe('ISO 8601, UTC');
/** The accounts service trims it and converts it to lower case. */
const email = z.string().max(254);
const personName = z.string().max(200).describe('1 to 200 characters, without control characters');

const MEMBER_ROLES = ['owner', 'member'] as const;
export type MemberRole = (typeof MEMBER_ROLES)[number];

export const PASSWORD_LENGTH = { min: 10, max: 128 } as const;

/** The pages that one-time links lead to. */
export const LINK_PAGES = {
  invitation: '/invitation',
  passwordReset: '/password-reset',
  signIn: '/link',
  signUp: '/sign-up',
} as const;

/**
 * @param publicUrl the origin of the installation, e.g. `https://calls.example.com`
 * @param more for the page: `next`, the page after a sign-in, e.g. `/calls/call_…`; `email`, the address of a sign-up
 * @returns a one-time link. Its token is in the fragment, which browsers do not send, so that no log has it.
 */
export function oneTimeLink(
  publicUrl: string,
  page: keyof typeof LINK_PAGES,
  token: string,
  more: { next?: string; email?: string } = {},
): string {
  const fragment = new URLSearchParams({ token, ...more });
  return `${publicUrl.replace(/\/+$/, '')}${LINK_PAGES[page]}#${fragment}`;
}

/** What the pages need before sign-in. */
export const Installation = z
  .strictObject({
    signUp: z
      .enum(['first', 'setup', 'open', 'confirm', 'closed'])
      .describe(
        'Who may sign up without an invitation. `first`: only the first user, and only from the machine that runs the ' +
          'service; `setup`: only the first user, with a setup link; `open`: everyone; `confirm`: everyone, with a ' +
          'confirmed email; `closed`: no one',
      ),
    passwordReset: z
      .enum(['mail', 'operator'])
      .describe('How a forgotten password is reset: by email, or by a command of the operator'),
    maxUploadBytes: z.int(),
    languages: z.array(z.string()).describe('Languages that an upload may name, as ISO 639'),
    formats: z.array(z.enum(AUDIO_FORMATS)),
  })
  .meta({ id: 'Installation', description: 'What this installation allows' });

export const Session = z
  .strictObject({
    user: z.strictObject({ id: z.string(), name: personName, email }),
    account: z.strictObject({ id: z.string(), name: z.string(), createdAt: timestamp }),
    role: z.enum(MEMBER_ROLES),
    expiresAt: timestamp,
  })
  .meta({ id: 'Session', description: 'The signed-in user and the account' });

export const SignIn = z
  .strictObject({ email, password: z.string() })
  .meta({ id: 'SignIn', description: 'Email and password' });

export const SignUp = z
  .strictObject({
    name: personName,
    email,
    password: z.string().describe(`${PASSWORD_LENGTH.min} to ${PASSWORD_LENGTH.max} characters`),
    accountName: z.string().max(200).optional().describe('Name of the new account; not allowed with an invitation'),
    invitation: z.string().optional().describe('Token from an invitation or claim link; the user joins that account'),
    link: z.string().optional().describe('Token of a setup link, or of the link in a confirmation email'),
  })
  .meta({ id: 'SignUp', description: 'A new user' });

export const SignUpRequest = z
  .strictObject({ email })
  .meta({ id: 'SignUpRequest', description: 'Where to send the link that confirms the email' });

export const ProfileChange = z
  .strictObject({ name: personName })
  .meta({ id: 'ProfileChange', description: 'The new name of the user' });

export const PasswordChange = z
  .strictObject({ currentPassword: z.string(), newPassword: z.string() })
  .meta({ id: 'PasswordChange', description: 'A new password; every other session of the user ends' });

export const PasswordResetRequest = z.strictObject({ email }).meta({
  id: 'PasswordResetRequest',
  description: 'Where to send the link; the answer is the same whether or not the user exists',
});

export const PasswordReset = z
  .strictObject({ token: z.string(), newPassword: z.string() })
  .meta({ id: 'PasswordReset', description: 'The token of a reset link, which works once, and the new password' });

export const LinkToken = z
  .strictObject({ token: z.string() })
  .meta({ id: 'LinkToken', description: 'The token of a one-time link' });

export const Key = z
  .strictObject({
    id: z.string(),
    name: z.string(),
    prefix: z.string().describe('The first characters, to recognize the key'),
    scope: z.enum(KEY_SCOPES).describe('What the key may do; write includes read'),
    createdBy: z
      .string()
      .nullable()
      .describe('The id of the user who created it, or "operator" for the command line; null when it was not recorded'),
    createdAt: timestamp,
    expiresAt: timestamp.nullable().describe('When the key expires; null: never'),
    lastUsedAt: timestamp.nullable(),
    revokedAt: timestamp.nullable(),
  })
  .meta({ id: 'Key', description: 'An API key, without its secret' });
export const KeyList = z.strictObject({ keys: z.array(Key) }).meta({
  id: 'KeyList',
  description: 'Active keys, oldest first, and the latest 100 that were revoked or have expired',
});
export const NewKey = z
  .strictObject({
    name: z.string().max(200),
    scope: z.enum(KEY_SCOPES).default('write').describe('What the key may do; write includes read'),
    expiresAt: timestamp.nullable().default(null).describe('In the future; null: the key does not expire'),
  })
  .meta({ id: 'NewKey', description: 'A key to create' });
export const CreatedKey = z
  .strictObject({ key: Key, secret: z.string().describe('The secret of the key; shown once') })
  .meta({ id: 'CreatedKey', description: 'A new key with its secret' });

export const Member = z
  .strictObject({ userId: z.string(), name: personName, email, role: z.enum(MEMBER_ROLES), joinedAt: timestamp })
  .meta({ id: 'Member', description: 'A user of the account' });
export const MemberList = z
  .strictObject({ members: z.array(Member) })
  .meta({ id: 'MemberList', description: 'In the order of joining' });
export const RoleChange = z
  .strictObject({ role: z.enum(MEMBER_ROLES) })
  .meta({ id: 'RoleChange', description: 'The new role' });

export const Invitation = z
  .strictObject({ id: z.string(), role: z.enum(MEMBER_ROLES), createdAt: timestamp, expiresAt: timestamp })
  .meta({ id: 'Invitation', description: 'A pending invitation' });
export const InvitationList = z
  .strictObject({ invitations: z.array(Invitation) })
  .meta({ id: 'InvitationList', description: 'Pending invitations, oldest first' });
export const NewInvitation = z
  .strictObject({ role: z.enum(MEMBER_ROLES) })
  .meta({ id: 'NewInvitation', description: 'An invitation to create' });
export const CreatedInvitation = z
  .strictObject({ invitation: Invitation, url: z.string().describe('The invitation link; shown once, works once') })
  .meta({ id: 'CreatedInvitation', description: 'A new invitation with its link' });
export const PendingInvitation = z
  .strictObject({ accountName: z.string(), role: z.enum(MEMBER_ROLES), expiresAt: timestamp })
  .meta({ id: 'PendingInvitation', description: 'What a pending invitation is for' });

/** The name must be typed, to prevent a deletion by accident. */
export const AccountDeletion = z.strictObject({ accountName: z.string(), password: z.string() }).meta({
  id: 'AccountDeletion',
  description: 'Confirms the deletion of the account with all its calls, keys and users',
});

/** Calls without a score are last in both orders, and file names are ordered without case. Ties are newest first. */
export const CALL_SORTS = ['createdAt', 'score', 'fileName'] as const;
export type CallSort = (typeof CALL_SORTS)[number];
export const SORT_ORDERS = ['asc', 'desc'] as const;
export type SortOrder = (typeof SORT_ORDERS)[number];

export const CallSearch = CallsQuery.extend({
  limit: callsLimit(25),
  saleStatus: z.enum(SALE_STATUSES).optional(),
  reportType: z.enum(REPORT_TYPES).optional(),
  product: z.string().max(200).optional().describe('Exactly this product'),
  text: z
    .string()
    .max(200)
    .optional()
    .describe(
      'Words in the file name, product, summary or transcript. Each matches the beginning of a word; case and accents do not count.',
    ),
  from: timestamp.optional().describe('Created at or after'),
  to: timestamp.optional().describe('Created before'),
  tracker: z.string().max(60).optional().describe('Name of a tracker'),
  trackerResult: z.enum(LISTED_RESULTS).optional().describe('What the tracker finds; `found` if not given'),
  sort: z.enum(CALL_SORTS).default('createdAt'),
  order: z.enum(SORT_ORDERS).default('desc'),
}).meta({ id: 'CallSearch', description: 'Filters and order of the calls' });

export const FoundCall = CallListItem.extend({
  waitingFor: z.enum(WAITS).nullable().describe('A part of the service that the call waits for, or the next day'),
  queuePosition: z.int().min(1).max(1002).nullable().describe('1 is next; null when not in the queue or beyond 1001'),
  errorMessage: z.string().nullable().describe('Why the call failed and what to do'),
  match: z
    .strictObject({
      text: z.string().describe('A line of the transcript, or the summary, cut around the match'),
      marks: z
        .array(z.strictObject({ start: z.int().min(0), end: z.int().min(0) }))
        .describe('The words found, as offsets into `text` in UTF-16 code units'),
    })
    .nullable()
    .describe('Where the words were found, when they are not all in the file name and the product'),
}).meta({ id: 'FoundCall', description: 'A call in the list' });
export const FoundCalls = z
  .strictObject({ calls: z.array(FoundCall), total: z.int().min(0), limit: z.int(), offset: z.int() })
  .meta({ id: 'FoundCalls', description: 'A page of calls' });

export const OverviewQuery = z
  .strictObject({
    from: z.iso.date().describe('First day, in the time zone'),
    to: z.iso.date().describe('Last day; at most 366 days'),
    timeZone: z.string().max(64).describe('IANA name, e.g. Europe/Berlin'),
  })
  .meta({ id: 'OverviewQuery', description: 'The range of days' });

const remark = z.strictObject({
  text: z.string().describe('Kind of the finding, without a quote'),
  calls: z.int().describe('Calls in which it was found'),
});
export const Overview = z
  .strictObject({
    days: z
      .array(
        z.strictObject({
          date: z.iso.date(),
          calls: z.int().describe('Calls uploaded that day'),
          completed: z.int(),
          failed: z.int(),
          averageScore: z.number().nullable().describe('Average over the scored calls of that day'),
        }),
      )
      .describe('Every day of the range, including days without calls'),
    saleStatuses: z
      .strictObject({ sold: z.int(), not_sold: z.int(), follow_up: z.int(), unclear: z.int() } satisfies Record<
        SaleStatus,
        z.ZodInt
      >)
      .describe('Of the scored calls'),
    notScored: z.int().min(0).describe('Completed calls without a score; they count in no average and no share'),
    averageScore: z.number().nullable(),
    products: z.array(z.strictObject({ product: z.string(), calls: z.int() })).describe('The 10 most frequent'),
    objections: z.array(remark).describe('The 10 most frequent'),
    mistakes: z.array(remark).describe('The 10 most frequent'),
    examined: z
      .int()
      .describe('The latest scored calls of the range whose objections and mistakes were counted; at most 1,000'),
    reviewed: z
      .strictObject({ answers: z.int().min(0), stood: z.int().min(0) })
      .describe('Answers that people have reviewed in these calls, and those of them that were right'),
    trackers: TrackerCounts,
  })
  .meta({ id: 'Overview', description: 'Totals of the calls in a range of days' });

/** The data of the server-sent event `change`. */
export const LiveChange = z
  .strictObject({ callId: z.string() })
  .meta({ id: 'LiveChange', description: 'This call has changed' });

export type Installation = z.infer<typeof Installation>;
export type Session = z.infer<typeof Session>;
export type SignIn = z.infer<typeof SignIn>;
export type SignUp = z.infer<typeof SignUp>;
export type Key = z.infer<typeof Key>;
export type Member = z.infer<typeof Member>;
export type Invitation = z.infer<typeof Invitation>;
export type CallSearch = z.infer<typeof CallSearch>;
export type FoundCall = z.infer<typeof FoundCall>;
export type FoundCalls = z.infer<typeof FoundCalls>;
export type OverviewQuery = z.infer<typeof OverviewQuery>;
export type Overview = z.infer<typeof Overview>;
/** An overview without what trackers find. */
export type CallTotals = Omit<Overview, 'trackers'>;
export type LiveChange = z.infer<typeof LiveChange>;
