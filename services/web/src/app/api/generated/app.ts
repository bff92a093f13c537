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
         * Read the sign-up rules
         * @description The settings that the pages need before sign-in.
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
         * Read the session
         * @description Returns the signed-in user and renews the session cookie.
         */
        get: operations["showSession"];
        put?: never;
        /**
         * Sign in
         * @description A wrong password and an unknown email get the same answer in the same time. An earlier session of the browser ends.
         */
        post: operations["signIn"];
        /**
         * Sign out
         * @description Ends the session, if there is one, and removes the cookie.
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
         * Sign in with a one-time link
         * @description The command line and the demo create such links. An earlier session of the browser ends.
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
         * @description Changes the name of the signed-in user.
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
         * @description All other sessions of the user end.
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
         * Reset the password
         * @description The link works once. All sessions of the user end, and the API keys they created are revoked.
         */
        put: operations["resetPassword"];
        /**
         * Request a password reset link
         * @description Sends the link by email if email is set up and the user exists. The answer and its time are the same in every case.
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
         * Remove a member or leave
         * @description For owners, and for members who leave. `id` is that of the user. The user and their sessions are deleted and the API keys they created are revoked, in one step. The account and its calls stay.
         */
        delete: operations["removeMember"];
        options?: never;
        head?: never;
        /**
         * Change the role of a member
         * @description For owners. `id` is the id of the user. The last owner cannot become a member.
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
         * List open invitations
         * @description For owners.
         */
        get: operations["listInvitations"];
        put?: never;
        /**
         * Create an invitation
         * @description For owners. Only this answer has the link. The link works once and expires after seven days.
         */
        post: operations["invite"];
        delete?: never;
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
         * Read an invitation
         * @description The token is in the body so that it does not appear in logs.
         */
        post: operations["findInvitation"];
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
         * Delete the account
         * @description For owners. Users, sessions, invitations and keys are deleted at once. Calls cannot be read any more and are deleted in the background.
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
         * @description Like `GET /api/v1/calls`, with more filters and orders.
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
         * Read the overview
         * @description Totals of the calls in a range of days, in the given time zone.
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
         * Listen for changes
         * @description Server-sent events for the calls of this account. Each `change` event has the id of a call that changed; read the call for details. Events can be lost, so also read the list from time to time. The stream ends with the session.
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
             * @description Who may sign up without an invitation. `first`: the sender of this request, as the first user; `setup`: the first user, with a setup link; `open`: everyone; `confirm`: everyone, with a confirmed email; `closed`: no one
             * @enum {string}
             */
            signUp: "first" | "setup" | "open" | "confirm" | "closed";
            /**
             * @description How a forgotten password is reset: by email, or by a command of the operator
             * @enum {string}
             */
            passwordReset: "mail" | "operator";
            maxUploadBytes: number;
            /** @description That an upload may name, as ISO 639 */
            languages: string[];
            formats: ("mp3" | "wav" | "m4a" | "ogg" | "flac" | "aac" | "wma")[];
        };
        /** @description The signed-in user and the account */
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
            /** @description Name of the new account; not allowed with an invitation */
            accountName?: string;
            /** @description Token from an invitation or claim link; the user joins that account */
            invitation?: string;
            /** @description Token of a setup link, or of the link in a confirmation email */
            link?: string;
        };
        /** @description The new name of the user */
        ProfileChange: {
            /** @description 1 to 200 characters, without control characters */
            name: string;
        };
        /** @description A new password; every other session of the user ends */
        PasswordChange: {
            currentPassword: string;
            newPassword: string;
        };
        /** @description Where to send the link; the answer is the same whether or not the user exists */
        PasswordResetRequest: {
            email: string;
        };
        /** @description The token of a reset link, which works once, and the new password */
        PasswordReset: {
            token: string;
            newPassword: string;
        };
        /** @description Active keys, oldest first, and the latest 100 that were revoked or have expired */
        KeyList: {
            keys: components["schemas"]["Key"][];
        };
        /** @description An API key, without its secret */
        Key: {
            id: string;
            name: string;
            /** @description The first characters, to recognize the key */
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
            /** @description When the key expires; null: never */
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
            /** @description The secret of the key; shown once */
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
        /** @description The new role */
        RoleChange: {
            /** @enum {string} */
            role: "owner" | "member";
        };
        /** @description Open invitations, oldest first */
        InvitationList: {
            invitations: components["schemas"]["Invitation"][];
        };
        /** @description An open invitation */
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
        /** @description An invitation to create */
        NewInvitation: {
            /** @enum {string} */
            role: "owner" | "member";
        };
        /** @description A new invitation with its link */
        CreatedInvitation: {
            invitation: components["schemas"]["Invitation"];
            /** @description The invitation link; shown once, works once */
            url: string;
        };
        /** @description What an open invitation is for */
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
        /** @description Confirms the deletion of the account with all its calls, keys and users */
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
        /** @description A call in the list */
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
            /** @description A part of the service that the call waits for */
            waitingFor: ("speech_engine" | "analysis_engine" | "storage" | "decoder") | null;
            /** @description 1 is next; null when not in the queue or beyond 1001 */
            queuePosition: number | null;
            /** @description Why the call failed and what to do */
            errorMessage: string | null;
            /** @description Where the words were found, when they are not all in the file name and the product */
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
        /** @description Totals of the calls in a range of days */
        Overview: {
            /** @description Every day of the range, including days without calls */
            days: {
                /** Format: date */
                date: string;
                /** @description Calls uploaded that day */
                calls: number;
                completed: number;
                failed: number;
                /** @description Average over the scored calls of that day */
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
            /** @description The 10 most frequent */
            products: {
                product: string;
                calls: number;
            }[];
            /** @description The 10 most frequent */
            objections: {
                /** @description Kind of the finding, without a quote */
                text: string;
                /** @description Calls in which it was found */
                calls: number;
            }[];
            /** @description The 10 most frequent */
            mistakes: {
                /** @description Kind of the finding, without a quote */
                text: string;
                /** @description Calls in which it was found */
                calls: number;
            }[];
            /** @description The latest scored calls of the range whose objections and mistakes were counted; at most 1,000 */
            examined: number;
            trackers: components["schemas"]["TrackerCounts"];
        };
        /** @description What the trackers find in the calls of a range of days */
        TrackerCounts: {
            trackers: {
                /** @description Name of the tracker */
                tracker: string;
                /**
                 * @description `mention` lists the calls where it is said; `required` also those where it is missing
                 * @enum {string}
                 */
                kind: "mention" | "required";
                /**
                 * @description Who says it
                 * @enum {string}
                 */
                who: "manager" | "customer" | "anyone";
                /** @description Completed calls where it is said */
                found: number;
                /** @description Completed calls where it is required and not said */
                missing: number;
                /** @description Completed calls that show neither */
                notJudged: number;
            }[];
            /** @description Completed calls still to be looked through; they count nowhere yet */
            pending: number;
        };
        /** @description This call has changed */
        LiveChange: {
            callId: string;
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: {
        /** @description Identifies this request in the log of the service */
        RequestId: string;
        /** @description Seconds to wait before the next request */
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
            /** @description The rules of this installation */
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
            /** @description The session */
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
            /** @description The new session; its cookie is set */
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
            /** @description Done */
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
            /** @description The new session; its cookie is set */
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
            /** @description The new session; its cookie is set */
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
            /** @description The session with the new name */
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
            /** @description Done */
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
            /** @description Done */
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
            /** @description If the user exists, an email is sent */
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
            /** @description Done */
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
            /** @description Done */
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
            /** @description The open invitations, oldest first */
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
            /** @description The account and the role */
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
            /** @description Done */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
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
            /** @description Done */
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
                /** @description Name of a tracker */
                tracker?: string;
                /** @description What the tracker finds; `found` if not given */
                trackerResult?: "found" | "missing";
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
            /** @description The totals */
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
            /** @description The stream, with the data of each `change` event */
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
