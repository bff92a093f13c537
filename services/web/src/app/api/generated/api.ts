// Made of docs/openapi.json by npm run client: change it there.

export interface paths {
    "/api/v1/calls": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List calls
         * @description A page of the account's calls, newest first. `total` is the number of all calls that match.
         */
        get: operations["listCalls"];
        put?: never;
        /**
         * Upload a call
         * @description Stores the recording and queues it. The limit for a recording is 2 GiB. An upload has no time limit, but it is aborted when it stalls for 60 seconds or sends too slowly. The recording is deleted after the analysis.
         */
        post: operations["uploadCall"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/calls/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a call
         * @description One call with its report. Poll it every few seconds until `status` is `completed` or `failed`.
         */
        get: operations["getCall"];
        put?: never;
        post?: never;
        /**
         * Delete a call
         * @description Hides the call and stops work on it at once. The call can be restored for 30 seconds, unless the operator sets another time. After that, its recording, transcript and report are deleted permanently. Its `Idempotency-Key` can be used again at once. The request can be repeated safely.
         */
        delete: operations["deleteCall"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/calls/{id}/scorecard": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the scorecard of a call
         * @description What the score is the sum of, or why the call has no score. Only sales calls are scored.
         */
        get: operations["getScorecard"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/calls/{id}/progress": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the progress of a call
         * @description What the call waits for, or which stage it is in. A call that waits for an engine or for storage goes on by itself when that is back.
         */
        get: operations["getProgress"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/calls/{id}/retry": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Retry a failed call
         * @description Puts a failed call back into the queue of the stage that failed. Finished segments and a finished transcript are used again. Possible while `retryable` is true.
         */
        post: operations["retryCall"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/calls/{id}/restore": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Restore a deleted call
         * @description Restores a deleted call with its result, or returns it to the queue for the stage it was in. Later the answer is `call_not_found`. The request can be repeated safely: a call that is not deleted is returned as it is.
         */
        post: operations["restoreCall"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/calls/{id}/transcript": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the transcript of a call
         * @description Who said what and when, and which parts were not heard. It can be read before the analysis is done; the roles of the speakers are known after that. Without a transcript there are no turns.
         */
        get: operations["getTranscript"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/calls/{id}/transcript.txt": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the transcript as .txt
         * @description The transcript as plain text, one line for each turn, in UTF-8.
         */
        get: operations["getTranscriptText"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/calls/{id}/transcript.vtt": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the transcript as .vtt
         * @description The transcript as WebVTT, in UTF-8.
         */
        get: operations["getTranscriptVtt"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/calls/{id}/transcript.srt": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the transcript as .srt
         * @description The transcript as SubRip, in UTF-8.
         */
        get: operations["getTranscriptSrt"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/calls/{id}/speakers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the speakers of a call
         * @description Who speaks in a completed call, with their roles and first words.
         */
        get: operations["getSpeakers"];
        /**
         * Correct the speakers of a call
         * @description Says who is who. The call is analyzed again with these roles, from its stored transcript: poll it as after an upload. Name each speaker once. The request can be repeated safely.
         */
        put: operations["setSpeakers"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/calls/{id}/evidence": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the evidence of a report
         * @description The words of the call that each finding rests on, with their speaker, time and line of the transcript. The lists have the order of the report. A finding about something that is missing has no words.
         */
        get: operations["getEvidence"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/calls/{id}/metrics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the numbers of a call
         * @description Computed from the recording and the transcript. `null` where it is not known.
         */
        get: operations["getMetrics"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/trackers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the trackers
         * @description The words and phrases that the account looks for in its calls.
         */
        get: operations["getTrackers"];
        /**
         * Replace the trackers
         * @description Replaces the whole list. Send the `revision` that you have read: if others have changed the list since, the answer is 409 and nothing changes. At most 50 trackers with 50 phrases each; a phrase has at most 12 words. All completed calls are looked through again.
         *
         *     A phrase is found as whole words. Case, accents, punctuation, hesitations ("uh"), apostrophes and hyphens do not count. A last word in lower case is also found with an s at its end. Nothing else is inflected: add the other forms as phrases.
         */
        put: operations["setTrackers"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/calls/{id}/trackers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read what the trackers find in a call
         * @description The places where the phrases are said, by the present trackers. A tracker that asks for a role says nothing of a call whose roles are less than 60% certain.
         */
        get: operations["getCallTrackers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/vocabulary": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the vocabulary
         * @description The names and words that the account expects in its calls, in the order of their importance.
         */
        get: operations["getVocabulary"];
        /**
         * Replace the vocabulary
         * @description Replaces the whole list. The speech engine gets it with calls that are transcribed from now on: the models of OpenAI and Whisper servers take the first terms, the Whisper model on the machine takes none. Of terms that differ in case alone, the first is kept. Send the `revision` that you have read; with an older one nothing is changed.
         */
        put: operations["setVocabulary"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the account
         * @description Returns the account of the API key. Use it to check that a key is valid.
         */
        get: operations["getAccount"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/openapi.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read this description
         * @description This document.
         */
        get: operations["getApiDescription"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/docs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the documentation
         * @description This document as a page.
         */
        get: operations["getDocs"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/healthz": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Check liveness
         * @description Answers as long as the process is alive.
         */
        get: operations["getHealth"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/readyz": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Check readiness
         * @description Checks the stores and the services that requests need.
         */
        get: operations["getReadiness"];
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
        /** @description The recording is stored and queued */
        UploadAccepted: {
            /** @description Call identifier */
            id: string;
            /**
             * @description `queued`; in the answer to a repeated upload, the status of the call now
             * @enum {string}
             */
            status: "queued" | "transcribing" | "analyzing" | "completed" | "failed";
            /** @description Path of the call; poll it until `status` is `completed` or `failed` */
            pollUrl: string;
        };
        /** @description A page of calls, newest first */
        CallList: {
            calls: components["schemas"]["CallListItem"][];
            total: number;
            limit: number;
            offset: number;
        };
        /** @description A call in the list */
        CallListItem: {
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
        };
        /** @description One call with its report */
        CallDetail: {
            /** @description Call identifier */
            id: string;
            /** @description Name of the uploaded file */
            fileName: string;
            /** @enum {string} */
            status: "queued" | "transcribing" | "analyzing" | "completed" | "failed";
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
            /** @description Summary of the call; empty until the call is completed */
            summary: string;
            /** @description What the customer wanted; empty when not known */
            customerIntent: string;
            /** @description Agreed next step; empty when none was agreed or found */
            nextStep: string;
            issues: string[];
            positives: string[];
            recommendations: string[];
            objections: string[];
            managerMistakes: string[];
            detailedReport: components["schemas"]["ReportSection"][];
            /** @description Lines "Manager: …" and "Customer: …"; a third speaker is "Speaker 3: …". Empty when there is none */
            transcript: string;
            /** @description Why the call failed and what to do; only on a failed call */
            errorMessage?: string;
            /** @description Stable machine code of the failure; only on a failed call */
            errorCode?: string;
            /** @description Whether the call can be retried: its recording or transcript is kept; only on a failed call */
            retryable?: boolean;
        };
        /** @description One section of the report */
        ReportSection: {
            id: string;
            title: string;
            content: string;
            points: string[];
        };
        /** @description How the score was computed, or why there is none */
        Scorecard: {
            /** @description Call identifier */
            callId: string;
            /** @enum {string} */
            status: "queued" | "transcribing" | "analyzing" | "completed" | "failed";
            /** @description Kind of conversation; null when not known */
            callKind: ("sales" | "service" | "other" | "voicemail" | "wrong_number" | "no_conversation") | null;
            /** @description Words of the call that show its kind; empty when not known */
            callKindQuote: string;
            /** @description Score of the call, 0 to 100. Null without a score: `GET /api/v1/calls/{id}/scorecard` has the reason */
            score: number | null;
            /** @description Null exactly when there is a score */
            notScored: {
                /** @enum {string} */
                code: "not_analyzed" | "no_speech" | "too_short" | "not_a_sales_call" | "kind_unclear" | "language_not_supported" | "roles_unclear";
                /** @description Why the call has no score and what to do */
                message: string;
            } | null;
            /** @description How certain the roles are, 0 to 1; null until the call is completed */
            rolesConfidence: number | null;
            /** @description The score is the sum of the points in percent of the sum of `of`; 0 of 0: not applicable. Empty without a score */
            criteria: {
                id: string;
                title: string;
                points: number;
                of: number;
                /** @description Reason for the points */
                why: string;
            }[];
        };
        /** @description What a call waits for, or which stage it is in */
        Progress: {
            /** @enum {string} */
            status: "queued" | "transcribing" | "analyzing" | "completed" | "failed";
            /** @description What the call waits for or is in; null when it is completed or failed */
            stage: ("transcription" | "analysis") | null;
            /** @description A part of the service that is unavailable; the call goes on by itself when it is back */
            waitingFor: {
                /** @enum {string} */
                code: "speech_engine" | "analysis_engine" | "storage" | "decoder";
                /** @description What the call waits for, as a sentence */
                message: string;
                /**
                 * Format: date-time
                 * @description ISO 8601, UTC
                 */
                since: string;
            } | null;
            /** @description Length of the recording; estimated from its size until it is decoded */
            seconds: number;
            /** @description How much of it is transcribed */
            secondsDone: number;
            /** @description Null when the call is being worked on, waits for something else, or is finished */
            queue: {
                /** @description 1 is next. Counts the calls of the account that wait for the same stage; 1002 means beyond 1001 */
                position: number;
                /** @description Estimated time until work on the call starts, from the pace at which calls of the account have ended in the last 15 minutes while it had a queue; null when that is not known */
                startsInSeconds: number | null;
            } | null;
            /**
             * Format: date-time
             * @description When `status` or `secondsDone` last changed
             */
            updatedAt: string;
        };
        /** @description Who said what and when */
        CallTranscript: {
            /** @description Call identifier */
            callId: string;
            /** @enum {string} */
            status: "queued" | "transcribing" | "analyzing" | "completed" | "failed";
            /** @description BCP 47 language of the call; `und` when not known */
            language: string;
            /** @description Length of the recording */
            seconds: number;
            /** @description In order of time. Empty until the recording is transcribed, and without speech */
            turns: {
                /** @description Seconds from the start of the recording */
                start: number;
                /** @description Seconds from the start of the recording */
                end: number;
                /** @description `Manager`, `Customer` or `Speaker N`; until the call is completed `Speaker N` */
                speaker: string;
                /** @description Null until the call is completed */
                role: ("manager" | "customer" | "other") | null;
                /** @description How certain the roles of the call are; null until the call is completed */
                confidence: number | null;
                /** @description BCP 47; `und` when not known */
                language: string;
                text: string;
            }[];
            /** @description What is not in the turns, and why */
            unheard: {
                /** @description Seconds from the start of the recording */
                start: number;
                /** @description Seconds from the start of the recording */
                end: number;
                /** @description Such as `silence`, or why the answer of the engine was dropped */
                reason: string;
            }[];
        };
        /** @description Who is who in a call */
        CallSpeakers: {
            /** @description Call identifier */
            callId: string;
            /** @description How certain the roles are; 1 when a person has said them */
            confidence: number;
            speakers: {
                /** @description Number of the speaker, from 1 */
                speaker: number;
                /**
                 * @description `manager` sells or speaks for the company; `other` is neither
                 * @enum {string}
                 */
                role: "manager" | "customer" | "other";
                words: number;
                /** @description To recognize them by */
                firstWords: string;
            }[];
        };
        /** @description The role of each speaker of a call */
        SpeakerRoles: {
            speakers: {
                /** @description Number of the speaker, from 1 */
                speaker: number;
                /**
                 * @description `manager` sells or speaks for the company; `other` is neither
                 * @enum {string}
                 */
                role: "manager" | "customer" | "other";
            }[];
        };
        /** @description The words of the call that a report rests on */
        CallEvidence: {
            /** @description Call identifier */
            callId: string;
            positives: {
                /** @description As in the report */
                text: string;
                /** @description The kind of an objection or a mistake */
                kind: string | null;
                /** @description The words of the call that show it; null when none do */
                words: {
                    /** @description Literally in the line */
                    quote: string;
                    /** @description Index of the line in `transcript`, from 0 */
                    line: number;
                    /** @description Seconds from the start of the recording */
                    start: number;
                    /** @description `Manager`, `Customer` or `Speaker N` */
                    speaker: string;
                } | null;
            }[];
            issues: {
                /** @description As in the report */
                text: string;
                /** @description The kind of an objection or a mistake */
                kind: string | null;
                /** @description The words of the call that show it; null when none do */
                words: {
                    /** @description Literally in the line */
                    quote: string;
                    /** @description Index of the line in `transcript`, from 0 */
                    line: number;
                    /** @description Seconds from the start of the recording */
                    start: number;
                    /** @description `Manager`, `Customer` or `Speaker N` */
                    speaker: string;
                } | null;
            }[];
            objections: {
                /** @description As in the report */
                text: string;
                /** @description The kind of an objection or a mistake */
                kind: string | null;
                /** @description The words of the call that show it; null when none do */
                words: {
                    /** @description Literally in the line */
                    quote: string;
                    /** @description Index of the line in `transcript`, from 0 */
                    line: number;
                    /** @description Seconds from the start of the recording */
                    start: number;
                    /** @description `Manager`, `Customer` or `Speaker N` */
                    speaker: string;
                } | null;
            }[];
            managerMistakes: {
                /** @description As in the report */
                text: string;
                /** @description The kind of an objection or a mistake */
                kind: string | null;
                /** @description The words of the call that show it; null when none do */
                words: {
                    /** @description Literally in the line */
                    quote: string;
                    /** @description Index of the line in `transcript`, from 0 */
                    line: number;
                    /** @description Seconds from the start of the recording */
                    start: number;
                    /** @description `Manager`, `Customer` or `Speaker N` */
                    speaker: string;
                } | null;
            }[];
            /** @description The words of the call that show it; null when none do */
            callKind: {
                /** @description Literally in the line */
                quote: string;
                /** @description Index of the line in `transcript`, from 0 */
                line: number;
                /** @description Seconds from the start of the recording */
                start: number;
                /** @description `Manager`, `Customer` or `Speaker N` */
                speaker: string;
            } | null;
            /** @description The words of the call that show it; null when none do */
            product: {
                /** @description Literally in the line */
                quote: string;
                /** @description Index of the line in `transcript`, from 0 */
                line: number;
                /** @description Seconds from the start of the recording */
                start: number;
                /** @description `Manager`, `Customer` or `Speaker N` */
                speaker: string;
            } | null;
            /** @description The words of the call that show it; null when none do */
            saleStatus: {
                /** @description Literally in the line */
                quote: string;
                /** @description Index of the line in `transcript`, from 0 */
                line: number;
                /** @description Seconds from the start of the recording */
                start: number;
                /** @description `Manager`, `Customer` or `Speaker N` */
                speaker: string;
            } | null;
            /** @description The words of the call that show it; null when none do */
            customerIntent: {
                /** @description Literally in the line */
                quote: string;
                /** @description Index of the line in `transcript`, from 0 */
                line: number;
                /** @description Seconds from the start of the recording */
                start: number;
                /** @description `Manager`, `Customer` or `Speaker N` */
                speaker: string;
            } | null;
            nextSteps: {
                what: string;
                /** @description In the words of the call; null without a time */
                when: string | null;
                /** @description null where the words and the date of the call do not determine it */
                day: string | null;
                who: ("manager" | "customer" | "both") | null;
                /** @description The words of the call that show it; null when none do */
                words: {
                    /** @description Literally in the line */
                    quote: string;
                    /** @description Index of the line in `transcript`, from 0 */
                    line: number;
                    /** @description Seconds from the start of the recording */
                    start: number;
                    /** @description `Manager`, `Customer` or `Speaker N` */
                    speaker: string;
                } | null;
            }[];
        };
        /** @description The numbers of a call */
        CallMetrics: {
            /** @description Call identifier */
            callId: string;
            /** @description Length of the recording */
            seconds: number | null;
            /** @description Time in which nobody speaks */
            silenceSeconds: number | null;
            /** @description Words of all speakers */
            words: number | null;
            /** @description Changes of the speaker, and the first turn */
            turns: number | null;
            /** @description The manager's share of the speech of manager and customer */
            managerTalkPercent: number | null;
            /** @description Longest stretch of the manager; short listening words do not end it */
            longestMonologueSeconds: number | null;
            /** @description How often the manager cut the customer off */
            interruptions: number | null;
            /** @description Questions of the manager */
            managerQuestions: number | null;
            /** @description Questions of the customer */
            customerQuestions: number | null;
            /** @description How fast the manager speaks */
            managerWordsPerMinute: number | null;
            /** @description How fast the customer speaks */
            customerWordsPerMinute: number | null;
        };
        /** @description The trackers of the account */
        TrackerList: {
            /** @description Counts the changes of the list; 0 before the first one */
            revision: number;
            trackers: components["schemas"]["Tracker"][];
        };
        /** @description Words and phrases to find in calls */
        Tracker: {
            /** @description Differs from the names of the other trackers; case does not count */
            name: string;
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
            /** @description Any of them */
            phrases: string[];
        };
        /** @description What the trackers find in a call */
        CallTrackers: {
            /** @description Call identifier */
            callId: string;
            /** @description Counts the changes of the list; 0 before the first one */
            revision: number;
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
                /**
                 * @description `missing`: required and not said. `not_judged`: it is not certain who speaks, or a required phrase in a call where only one person speaks
                 * @enum {string}
                 */
                result: "found" | "missing" | "not_found" | "not_judged";
                /** @description In the order of the call; the first 100 */
                hits: {
                    /** @description The phrase that was found */
                    phrase: string;
                    /** @description Literally in the line */
                    quote: string;
                    /** @description Index of the line in `transcript`, from 0 */
                    line: number;
                    /** @description Seconds from the start of the recording */
                    start: number;
                    /** @description `Manager`, `Customer` or `Speaker N` */
                    speaker: string;
                }[];
            }[];
        };
        /** @description The names and words that the account expects in its calls */
        Vocabulary: {
            /** @description Counts the changes; 0 before the first one */
            revision: number;
            /** @description Names and words, the most important first. Each must have 1 to 60 characters, begin with a letter or digit, have a letter, and have only letters, digits, spaces and . , ' & + / # - */
            terms: string[];
        };
        /** @description The account the API key belongs to */
        Me: {
            id: string;
            name: string;
            /**
             * Format: date-time
             * @description ISO 8601, UTC
             */
            createdAt: string;
            /** @description The API key of this request, without its secret; null in a session of the web application */
            key: {
                id: string;
                name: string;
                prefix: string;
                /**
                 * @description What the key may do; write includes read
                 * @enum {string}
                 */
                scope: "read" | "write";
                /**
                 * Format: date-time
                 * @description ISO 8601, UTC
                 */
                createdAt: string;
                /** @description null: the key does not expire */
                expiresAt: string | null;
                lastUsedAt: string | null;
            } | null;
        };
        Health: {
            /** @constant */
            status: "ok";
        };
        /** @description Whether the service is ready, or why not */
        Readiness: {
            /** @enum {string} */
            status: "ready" | "not ready";
            reasons?: string[];
            /** @description Dependencies that are away although requests can be served */
            degraded?: string[];
        };
    };
    responses: never;
    parameters: {
        /** @description Your own identifier for this request. It is used if it has 1 to 128 letters, digits, dots, hyphens or underscores; otherwise the service makes one. The answer has the identifier that is used. */
        RequestId: string;
    };
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
    listCalls: {
        parameters: {
            query?: {
                /** @description Maximum number of calls */
                limit?: number;
                /** @description Number of calls to skip */
                offset?: number;
                /** @description Only calls with this status */
                status?: "queued" | "transcribing" | "analyzing" | "completed" | "failed";
            };
            header?: {
                /** @description Your own identifier for this request. It is used if it has 1 to 128 letters, digits, dots, hyphens or underscores; otherwise the service makes one. The answer has the identifier that is used. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
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
                    "application/json": components["schemas"]["CallList"];
                };
            };
        };
    };
    uploadCall: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes it safe to send the same upload again: there is one call, and the answer has its status now. */
                "Idempotency-Key"?: string;
                /** @description Your own identifier for this request. It is used if it has 1 to 128 letters, digits, dots, hyphens or underscores; otherwise the service makes one. The answer has the identifier that is used. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "multipart/form-data": {
                    /**
                     * Format: binary
                     * @description The recording: MP3, WAV, M4A, OGG, FLAC, AAC or WMA. The content decides, not the file name
                     */
                    file: string;
                    /**
                     * @description Length of the report: 3, 6 or 10 sections
                     * @default medium
                     * @enum {string}
                     */
                    reportType?: "high_level" | "medium" | "detailed";
                    /** @description BCP 47 language of the call, such as `en` or `pt-BR`. Without it the language is detected */
                    language?: string;
                    /** @description Names and words to expect in this call, one a line, up to 500, the most important first, before those of the account. Each must have 1 to 60 characters, begin with a letter or digit, have a letter, and have only letters, digits, spaces and . , ' & + / # - */
                    vocabulary?: string;
                };
            };
        };
        responses: {
            /** @description The recording is stored and queued */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UploadAccepted"];
                };
            };
        };
    };
    getCall: {
        parameters: {
            query?: never;
            header?: {
                /** @description Your own identifier for this request. It is used if it has 1 to 128 letters, digits, dots, hyphens or underscores; otherwise the service makes one. The answer has the identifier that is used. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description Call identifier */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The call */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CallDetail"];
                };
            };
        };
    };
    deleteCall: {
        parameters: {
            query?: never;
            header?: {
                /** @description Your own identifier for this request. It is used if it has 1 to 128 letters, digits, dots, hyphens or underscores; otherwise the service makes one. The answer has the identifier that is used. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description Call identifier */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The call is deleted */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    getScorecard: {
        parameters: {
            query?: never;
            header?: {
                /** @description Your own identifier for this request. It is used if it has 1 to 128 letters, digits, dots, hyphens or underscores; otherwise the service makes one. The answer has the identifier that is used. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description Call identifier */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The scorecard */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Scorecard"];
                };
            };
        };
    };
    getProgress: {
        parameters: {
            query?: never;
            header?: {
                /** @description Your own identifier for this request. It is used if it has 1 to 128 letters, digits, dots, hyphens or underscores; otherwise the service makes one. The answer has the identifier that is used. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description Call identifier */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The progress */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Progress"];
                };
            };
        };
    };
    retryCall: {
        parameters: {
            query?: never;
            header?: {
                /** @description Your own identifier for this request. It is used if it has 1 to 128 letters, digits, dots, hyphens or underscores; otherwise the service makes one. The answer has the identifier that is used. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description Call identifier */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The call is queued again */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CallDetail"];
                };
            };
        };
    };
    restoreCall: {
        parameters: {
            query?: never;
            header?: {
                /** @description Your own identifier for this request. It is used if it has 1 to 128 letters, digits, dots, hyphens or underscores; otherwise the service makes one. The answer has the identifier that is used. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description Call identifier */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The call */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CallDetail"];
                };
            };
        };
    };
    getTranscript: {
        parameters: {
            query?: never;
            header?: {
                /** @description Your own identifier for this request. It is used if it has 1 to 128 letters, digits, dots, hyphens or underscores; otherwise the service makes one. The answer has the identifier that is used. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description Call identifier */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The transcript */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CallTranscript"];
                };
            };
        };
    };
    getTranscriptText: {
        parameters: {
            query?: never;
            header?: {
                /** @description Your own identifier for this request. It is used if it has 1 to 128 letters, digits, dots, hyphens or underscores; otherwise the service makes one. The answer has the identifier that is used. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description Call identifier */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The transcript */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": string;
                };
            };
        };
    };
    getTranscriptVtt: {
        parameters: {
            query?: never;
            header?: {
                /** @description Your own identifier for this request. It is used if it has 1 to 128 letters, digits, dots, hyphens or underscores; otherwise the service makes one. The answer has the identifier that is used. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description Call identifier */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The transcript */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/vtt": string;
                };
            };
        };
    };
    getTranscriptSrt: {
        parameters: {
            query?: never;
            header?: {
                /** @description Your own identifier for this request. It is used if it has 1 to 128 letters, digits, dots, hyphens or underscores; otherwise the service makes one. The answer has the identifier that is used. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description Call identifier */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The transcript */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/x-subrip": string;
                };
            };
        };
    };
    getSpeakers: {
        parameters: {
            query?: never;
            header?: {
                /** @description Your own identifier for this request. It is used if it has 1 to 128 letters, digits, dots, hyphens or underscores; otherwise the service makes one. The answer has the identifier that is used. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description Call identifier */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The speakers */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CallSpeakers"];
                };
            };
        };
    };
    setSpeakers: {
        parameters: {
            query?: never;
            header?: {
                /** @description Your own identifier for this request. It is used if it has 1 to 128 letters, digits, dots, hyphens or underscores; otherwise the service makes one. The answer has the identifier that is used. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description Call identifier */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SpeakerRoles"];
            };
        };
        responses: {
            /** @description The call is analyzed again, or has these roles already */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CallDetail"];
                };
            };
        };
    };
    getEvidence: {
        parameters: {
            query?: never;
            header?: {
                /** @description Your own identifier for this request. It is used if it has 1 to 128 letters, digits, dots, hyphens or underscores; otherwise the service makes one. The answer has the identifier that is used. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description Call identifier */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The evidence */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CallEvidence"];
                };
            };
        };
    };
    getMetrics: {
        parameters: {
            query?: never;
            header?: {
                /** @description Your own identifier for this request. It is used if it has 1 to 128 letters, digits, dots, hyphens or underscores; otherwise the service makes one. The answer has the identifier that is used. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description Call identifier */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The numbers */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CallMetrics"];
                };
            };
        };
    };
    getTrackers: {
        parameters: {
            query?: never;
            header?: {
                /** @description Your own identifier for this request. It is used if it has 1 to 128 letters, digits, dots, hyphens or underscores; otherwise the service makes one. The answer has the identifier that is used. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The trackers */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TrackerList"];
                };
            };
        };
    };
    setTrackers: {
        parameters: {
            query?: never;
            header?: {
                /** @description Your own identifier for this request. It is used if it has 1 to 128 letters, digits, dots, hyphens or underscores; otherwise the service makes one. The answer has the identifier that is used. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TrackerList"];
            };
        };
        responses: {
            /** @description The new list */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TrackerList"];
                };
            };
        };
    };
    getCallTrackers: {
        parameters: {
            query?: never;
            header?: {
                /** @description Your own identifier for this request. It is used if it has 1 to 128 letters, digits, dots, hyphens or underscores; otherwise the service makes one. The answer has the identifier that is used. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description Call identifier */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What each tracker finds */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CallTrackers"];
                };
            };
        };
    };
    getVocabulary: {
        parameters: {
            query?: never;
            header?: {
                /** @description Your own identifier for this request. It is used if it has 1 to 128 letters, digits, dots, hyphens or underscores; otherwise the service makes one. The answer has the identifier that is used. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The vocabulary */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Vocabulary"];
                };
            };
        };
    };
    setVocabulary: {
        parameters: {
            query?: never;
            header?: {
                /** @description Your own identifier for this request. It is used if it has 1 to 128 letters, digits, dots, hyphens or underscores; otherwise the service makes one. The answer has the identifier that is used. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Vocabulary"];
            };
        };
        responses: {
            /** @description The vocabulary */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Vocabulary"];
                };
            };
        };
    };
    getAccount: {
        parameters: {
            query?: never;
            header?: {
                /** @description Your own identifier for this request. It is used if it has 1 to 128 letters, digits, dots, hyphens or underscores; otherwise the service makes one. The answer has the identifier that is used. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The account */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Me"];
                };
            };
        };
    };
    getApiDescription: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The document */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Record<string, never>;
                };
            };
        };
    };
    getDocs: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The document */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
        };
    };
    getHealth: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The process is alive */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Health"];
                };
            };
        };
    };
    getReadiness: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The service is ready */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Readiness"];
                };
            };
        };
    };
}
