// Made of docs/app-openapi.json by npm run client: change it there.

export interface paths {
    "/app/installation": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read what this installation allows
         * @description What a page must know before anybody has signed in.
         */
        get: operations["showInstallation"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/app/session": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read who is signed in
         * @description The cookie is given anew, for as long as the session now lasts.
         */
        get: operations["showSession"];
        put?: never;
        /**
         * Sign in
         * @description A wrong password and an unknown email cannot be told apart, also not by the time that the answer takes. The session of the browser until then ends.
         */
        post: operations["signIn"];
        /**
         * Sign out
         * @description The session ends, if there is one, and the cookie is taken back.
         */
        delete: operations["signOut"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/app/session/link": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sign in by a one-time link
         * @description Links are made on the command line and by the demo. The session of the browser until then ends.
         */
        post: operations["signInByLink"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/app/sign-ups": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Request a link to sign up
         * @description Only where sign-up is open and email is set up (`signUp` of the installation is `confirm`). The link confirms the email, works once and expires after 24 hours. Send the request again for another link. The answer is the same when the email has a user.
         */
        post: operations["requestSignUp"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/app/users": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sign up
         * @description Creates a user and signs them in. With an invitation they join its account; without, they become the owner of a new one. The first user of an installation needs the setup link that the server printed at start, unless the request comes from the same machine.
         */
        post: operations["signUp"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/app/profile": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change the name of the user
         * @description Of whoever is signed in.
         */
        patch: operations["changeProfile"];
        trace?: never;
    };
    "/app/password": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Change the password
         * @description Every other session of the user ends.
         */
        put: operations["changePassword"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/app/password-resets": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Choose a new password by such a link
         * @description The link works once. All sessions of the user end, and the API keys they created are revoked.
         */
        put: operations["resetPassword"];
        /**
         * Ask for a link to choose a new password
         * @description The link is sent by mail when mail is set up and there is such a user. The answer is the same in every case, also in time.
         */
        post: operations["requestPasswordReset"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/app/keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the API keys of the account
         * @description For owners and members.
         */
        get: operations["listKeys"];
        put?: never;
        /**
         * Create an API key
         * @description For owners and members. The key is revoked when the user who created it leaves the account or resets their password. The secret is returned only in this response.
         */
        post: operations["makeKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/app/keys/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Revoke an API key
         * @description For owners and members, so that everyone who notices a leak can stop it.
         */
        delete: operations["revokeKey"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/app/members": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the members of the account
         * @description For owners and members.
         */
        get: operations["listMembers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/app/members/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Remove a member, or leave
         * @description For owners, and for members who leave. `id` is that of the user. The user and their sessions are deleted and the API keys they created are revoked, in one step. The account and its calls stay.
         */
        delete: operations["removeMember"];
        options?: never;
        head?: never;
        /**
         * Change the role of a member
         * @description For owners. `id` is that of the user. The last owner stays one.
         */
        patch: operations["changeRole"];
        trace?: never;
    };
    "/app/invitations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the open invitations of the account
         * @description For owners.
         */
        get: operations["listInvitations"];
        put?: never;
        /**
         * Make an invitation
         * @description For owners. The link is in this answer and nowhere else; it works once, for seven days.
         */
        post: operations["invite"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/app/invitations/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Withdraw an invitation
         * @description For owners.
         */
        delete: operations["withdrawInvitation"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/app/invitations/find": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Read what an invitation is for
         * @description The token is in the body, so that it stands in no log.
         */
        post: operations["findInvitation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/app/account": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Delete the account with everything in it
         * @description For owners. Its users, sessions, invitations and keys are gone at once, its calls are no longer to be read and are deleted in the background.
         */
        delete: operations["deleteAccount"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/app/calls": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Search the calls of the account
         * @description As `GET /api/v1/calls`, with more filters and other orders.
         */
        get: operations["searchCalls"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/app/overview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read what the calls of some days amount to
         * @description Days begin and end in the time zone that is asked for.
         */
        get: operations["showOverview"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/app/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Hear of changes
         * @description Server-sent events of the calls of this account: each `change` names a call that something has happened to, and no more; read it by the API. Changes may be missed: look again now and then. Ends with the session.
         */
        get: operations["hearChanges"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /** @description An error (RFC 9457) */
        Problem: {
            type: string;
            title: string;
            status: number;
            code: string;
            detail: string;
            requestId: string;
        };
        /** @description What this installation allows */
        Installation: {
            /**
             * @description Who may sign up without an invitation: whoever asks this, as the first user; the first user with a setup link; everybody; everybody who confirms an email; or nobody
             * @enum {string}
             */
            signUp: "first" | "setup" | "open" | "confirm" | "closed";
            /**
             * @description How a forgotten password is replaced: by a mail, or by a command of the operator
             * @enum {string}
             */
            passwordReset: "mail" | "operator";
            maxUploadBytes: number;
            formats: ("mp3" | "wav" | "m4a" | "ogg" | "flac" | "aac" | "wma")[];
        };
        /** @description Who is signed in, and to which account */
        Session: {
            user: {
                id: string;
                /** @description 1 to 200 characters, without control characters */
                name: string;
                email: string;
            };
            account: {
                id: string;
                name: string;
                /**
                 * Format: date-time
                 * @description ISO 8601, UTC
                 */
                createdAt: string;
            };
            /** @enum {string} */
            role: "owner" | "member";
            /**
             * Format: date-time
             * @description ISO 8601, UTC
             */
            expiresAt: string;
        };
        /** @description Email and password */
        SignIn: {
            email: string;
            password: string;
        };
        /** @description The token of a one-time link */
        LinkToken: {
            token: string;
        };
        /** @description Where to send the link that confirms the email */
        SignUpRequest: {
            email: string;
        };
        /** @description A new user */
        SignUp: {
            /** @description 1 to 200 characters, without control characters */
            name: string;
            email: string;
            /** @description 10 to 128 characters */
            password: string;
            /** @description Of the new account; not with an invitation */
            accountName?: string;
            /** @description From the link of an invitation or a claim: joins that account */
            invitation?: string;
            /** @description From a setup link, or from the link in an email that confirms it */
            link?: string;
        };
        /** @description How the user is called */
        ProfileChange: {
            /** @description 1 to 200 characters, without control characters */
            name: string;
        };
        /** @description A new password; every other session of the user ends */
        PasswordChange: {
            currentPassword: string;
            newPassword: string;
        };
        /** @description Where to send the link; the answer is the same whether or not there is such a user */
        PasswordResetRequest: {
            email: string;
        };
        /** @description The token of a reset link, which works once, and the new password */
        PasswordReset: {
            token: string;
            newPassword: string;
        };
        /** @description Oldest first; with the newest hundred of those that were revoked or have expired */
        KeyList: {
            keys: components["schemas"]["Key"][];
        };
        /** @description An API key, without its secret */
        Key: {
            id: string;
            name: string;
            /** @description The first characters, by which a person recognises the key */
            prefix: string;
            /**
             * @description What the key may do; write includes read
             * @enum {string}
             */
            scope: "read" | "write";
            /** @description The id of the user who created it, or "operator" for the command line; null when it was not recorded */
            createdBy: string | null;
            /**
             * Format: date-time
             * @description ISO 8601, UTC
             */
            createdAt: string;
            /** @description From then on the key is refused; null: it does not expire */
            expiresAt: string | null;
            lastUsedAt: string | null;
            revokedAt: string | null;
        };
        /** @description A key to create */
        NewKey: {
            name: string;
            /**
             * @description What the key may do; write includes read
             * @default write
             * @enum {string}
             */
            scope: "read" | "write";
            /**
             * @description In the future; null: the key does not expire
             * @default null
             */
            expiresAt: string | null;
        };
        /** @description A new key with its secret */
        CreatedKey: {
            key: components["schemas"]["Key"];
            /** @description Shown this once */
            secret: string;
        };
        /** @description In the order of joining */
        MemberList: {
            members: components["schemas"]["Member"][];
        };
        /** @description A user of the account */
        Member: {
            userId: string;
            /** @description 1 to 200 characters, without control characters */
            name: string;
            email: string;
            /** @enum {string} */
            role: "owner" | "member";
            /**
             * Format: date-time
             * @description ISO 8601, UTC
             */
            joinedAt: string;
        };
        /** @description Another role */
        RoleChange: {
            /** @enum {string} */
            role: "owner" | "member";
        };
        /** @description Oldest first; used and expired ones are left out */
        InvitationList: {
            invitations: components["schemas"]["Invitation"][];
        };
        /** @description An invitation that can still be used */
        Invitation: {
            id: string;
            /** @enum {string} */
            role: "owner" | "member";
            /**
             * Format: date-time
             * @description ISO 8601, UTC
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC
             */
            expiresAt: string;
        };
        /** @description An invitation to make */
        NewInvitation: {
            /** @enum {string} */
            role: "owner" | "member";
        };
        /** @description A new invitation with its link */
        CreatedInvitation: {
            invitation: components["schemas"]["Invitation"];
            /** @description The link for the invited, shown this once; it works once */
            url: string;
        };
        /** @description What an invitation that can still be used is for */
        OpenInvitation: {
            accountName: string;
            /** @enum {string} */
            role: "owner" | "member";
            /**
             * Format: date-time
             * @description ISO 8601, UTC
             */
            expiresAt: string;
        };
        /** @description To delete the account with all its calls, keys and users */
        AccountDeletion: {
            accountName: string;
            password: string;
        };
        /** @description A page of calls */
        FoundCalls: {
            calls: components["schemas"]["FoundCall"][];
            total: number;
            limit: number;
            offset: number;
        };
        /** @description A call as the page lists it */
        FoundCall: {
            /** @description Call identifier */
            id: string;
            /** @description Name of the uploaded file */
            fileName: string;
            /** @enum {string} */
            status: "queued" | "transcribing" | "analyzing" | "completed" | "failed";
            /** @enum {string} */
            reportType: "high_level" | "medium" | "detailed";
            /** @description BCP 47 language of the call; `und` when not known */
            language: string;
            /** @description Product discussed; empty when not known */
            product: string;
            /**
             * @description Outcome of the sale; `unclear` when not known, and for calls without a score
             * @enum {string}
             */
            saleStatus: "sold" | "not_sold" | "follow_up" | "unclear";
            /** @description Score of the call, 0 to 100. Null without a score: `GET /api/v1/calls/{id}/scorecard` has the reason */
            score: number | null;
            /**
             * Format: date-time
             * @description ISO 8601, UTC
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC
             */
            updatedAt: string;
            /** @description Why the call failed and what to do */
            errorMessage: string | null;
            /** @description Where the searched words stand, when the file name and the product do not have them all */
            match: {
                /** @description A line of the transcript, or the summary, cut around the match */
                text: string;
                /** @description The words found, as offsets into `text` in UTF-16 code units */
                marks: {
                    start: number;
                    end: number;
                }[];
            } | null;
        };
        /** @description What the calls of some days amount to */
        Overview: {
            /** @description Every day of the range, also those without calls */
            days: {
                /** Format: date */
                date: string;
                /** @description Uploaded that day */
                calls: number;
                completed: number;
                failed: number;
                /** @description Of the scored calls uploaded that day */
                averageScore: number | null;
            }[];
            /** @description Of the scored calls */
            saleStatuses: {
                sold: number;
                not_sold: number;
                follow_up: number;
                unclear: number;
            };
            /** @description Completed calls without a score; they count in no average and no share */
            notScored: number;
            averageScore: number | null;
            /** @description The ten most frequent */
            products: {
                product: string;
                calls: number;
            }[];
            /** @description The ten most frequent */
            objections: {
                /** @description Its kind, without what was said */
                text: string;
                /** @description Calls in which it was found */
                calls: number;
            }[];
            /** @description The ten most frequent */
            mistakes: {
                /** @description Its kind, without what was said */
                text: string;
                /** @description Calls in which it was found */
                calls: number;
            }[];
            /** @description The latest scored calls of the range whose objections and mistakes were counted; at most 1,000 */
            examined: number;
        };
        /** @description Something about this call has changed */
        LiveChange: {
            callId: string;
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: {
        /** @description Names this request in the log of the service */
        RequestId: string;
        /** @description Seconds to wait before asking again */
        RetryAfter: string;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    showInstallation: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What it allows */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Installation"];
                };
            };
        };
    };
    showSession: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Who is signed in */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Session"];
                };
            };
        };
    };
    signIn: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SignIn"];
            };
        };
        responses: {
            /** @description Who is signed in now; the cookie goes with it */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Session"];
                };
            };
        };
    };
    signOut: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is done */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    signInByLink: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["LinkToken"];
            };
        };
        responses: {
            /** @description Who is signed in now; the cookie goes with it */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Session"];
                };
            };
        };
    };
    requestSignUp: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SignUpRequest"];
            };
        };
        responses: {
            /** @description An email is on its way */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    signUp: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SignUp"];
            };
        };
        responses: {
            /** @description Who is signed in now; the cookie goes with it */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Session"];
                };
            };
        };
    };
    changeProfile: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ProfileChange"];
            };
        };
        responses: {
            /** @description Who is signed in, by the new name */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Session"];
                };
            };
        };
    };
    changePassword: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PasswordChange"];
            };
        };
        responses: {
            /** @description It is done */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    resetPassword: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PasswordReset"];
            };
        };
        responses: {
            /** @description It is done */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    requestPasswordReset: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PasswordResetRequest"];
            };
        };
        responses: {
            /** @description If there is such a user, a mail is under way */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    listKeys: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The keys, oldest first, revoked ones too */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["KeyList"];
                };
            };
        };
    };
    makeKey: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewKey"];
            };
        };
        responses: {
            /** @description The key with its secret */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreatedKey"];
                };
            };
        };
    };
    revokeKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Identifier */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is done */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    listMembers: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The members, in the order of joining */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MemberList"];
                };
            };
        };
    };
    removeMember: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Identifier */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is done */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    changeRole: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Identifier */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RoleChange"];
            };
        };
        responses: {
            /** @description The member in the new role */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Member"];
                };
            };
        };
    };
    listInvitations: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Those that can still be used, oldest first */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InvitationList"];
                };
            };
        };
    };
    invite: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewInvitation"];
            };
        };
        responses: {
            /** @description The invitation with its link */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreatedInvitation"];
                };
            };
        };
    };
    withdrawInvitation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Identifier */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is done */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    findInvitation: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["LinkToken"];
            };
        };
        responses: {
            /** @description What it is for */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpenInvitation"];
                };
            };
        };
    };
    deleteAccount: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AccountDeletion"];
            };
        };
        responses: {
            /** @description It is done */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    searchCalls: {
        parameters: {
            query?: {
                limit?: number;
                offset?: number;
                status?: "queued" | "transcribing" | "analyzing" | "completed" | "failed";
                saleStatus?: "sold" | "not_sold" | "follow_up" | "unclear";
                reportType?: "high_level" | "medium" | "detailed";
                /** @description Exactly this product */
                product?: string;
                /** @description Words in the file name, product, summary or transcript. Each matches the beginning of a word; case and accents do not count. */
                text?: string;
                /** @description Created at or after */
                from?: string;
                /** @description Created before */
                to?: string;
                sort?: "createdAt" | "score" | "fileName";
                order?: "asc" | "desc";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of calls */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FoundCalls"];
                };
            };
        };
    };
    showOverview: {
        parameters: {
            query: {
                /** @description First day, in the time zone */
                from: string;
                /** @description Last day; at most 366 days */
                to: string;
                /** @description IANA name, e.g. Europe/Berlin */
                timeZone: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The sums */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Overview"];
                };
            };
        };
    };
    hearChanges: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The stream; the data of each event `change` */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": string;
                };
            };
        };
    };
}
