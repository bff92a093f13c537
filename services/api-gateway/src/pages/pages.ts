import type { IncomingMessage, ServerResponse } from 'node:http';
import type { NextFunction } from 'express';
import { exchangeOf } from '../http/exchange.ts';

/** Answers a GET or HEAD for a page of the web application or one of its files. @returns false when there is nothing at this address: nothing is answered then */
export type Pages = (req: IncomingMessage, res: ServerResponse) => boolean | Promise<boolean>;

/** What stays with the APIs, also where they have nothing. */
const OF_THE_APIS = /^\/(api|app)(\/|\?|$)/;

/** GET / and everything that no API has: the pages. */
export function servePages(pages: Pages) {
  return async (req: IncomingMessage, res: ServerResponse, next: NextFunction): Promise<void> => {
    const exchange = exchangeOf(res);
    res.setHeader('X-Request-Id', exchange.requestId);
    res.once('finish', () => {
      exchange.bytes = req.method === 'HEAD' ? 0 : Number(res.getHeader('content-length') ?? 0);
    });
    if (OF_THE_APIS.test(req.url ?? '/') || !(await pages(req, res))) next();
  };
}
