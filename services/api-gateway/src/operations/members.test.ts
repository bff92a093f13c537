import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Browser, PASSWORD, signedUp } from '../testing/browser.fixture.ts';
import { audioFile, form } from '../testing/forms.fixture.ts';
import { type RunningGateway, runGateway } from '../testing/gateway.fixture.ts';

let gateway: RunningGateway;
let owner: Browser;
let ownerId: string;
let member: Browser;
let memberId: string;
let stranger: Browser;
let strangerId: string;

/** Behind a proxy, so that many may sign up from as many addresses. */
beforeAll(async () => {
  gateway = await runGateway({ settings: { SIGN_UP: 'open' } });
  const one = await signedUp(gateway, 'owner@acme.example', { accountName: 'Acme' });
  [owner, ownerId] = [one.browser, one.user.id];
  const two = await signedUp(gateway, 'member@acme.example', { invitation: await invite('member') });
  [member, memberId] = [two.browser, two.user.id];
  const three = await signedUp(gateway, 'stranger@other.example', { accountName: 'Other' });
  [stranger, strangerId] = [three.browser, three.user.id];
});
afterAll(() => gateway.stop());

/** @returns the token in the link */
async function invite(role: string): Promise<string> {
  const { body } = await owner.ask('POST', '/app/invitations', { body: { role } });
  return new URLSearchParams(new URL((body as { url: string }).url).hash.slice(1)).get('token') ?? '';
}
const codeOf = ({ status, body }: { status: number; body: unknown }) =>
  `${status} ${(body as { code?: string }).code ?? ''}`.trim();

describe('API keys', () => {
  it('are made, shown once, listed without their secret, used and revoked', async () => {
    const made = await owner.ask('POST', '/app/keys', { body: { name: 'Reports' } });
    expect(made).toMatchObject({
      status: 201,
      body: { key: { name: 'Reports', revokedAt: null }, secret: expect.stringMatching(/^aca_/) },
    });
    const { key, secret } = made.body as { key: { id: string; prefix: string }; secret: string };
    const headers = { authorization: `Bearer ${secret}` };
    expect((await gateway.ask('/api/v1/me', { headers })).status).toBe(200);
    const { body } = await owner.get('/app/keys');
    expect(body).toEqual({
      keys: [expect.objectContaining({ id: key.id, prefix: secret.slice(0, key.prefix.length) })],
    });
    expect(JSON.stringify(body)).not.toContain(secret.slice(key.prefix.length));
    expect((await owner.ask('DELETE', `/app/keys/${key.id}`)).status).toBe(204);
    expect((await gateway.ask('/api/v1/me', { headers })).status).toBe(401);
    expect((await owner.get('/app/keys')).body).toMatchObject({
      keys: [{ id: key.id, revokedAt: expect.any(String) }],
    });
    expect(codeOf(await owner.ask('DELETE', `/app/keys/${key.id}`))).toBe('404 key_not_found');
  });

  it('are for members too', async () => {
    const { body } = await member.ask('POST', '/app/keys', { body: { name: 'Mine' } });
    const { key } = body as { key: { id: string } };
    expect(((await owner.get('/app/keys')).body as { keys: { id: string }[] }).keys.map(({ id }) => id)).toContain(
      key.id,
    );
    expect((await member.ask('DELETE', `/app/keys/${key.id}`)).status).toBe(204);
  });

  it("are those of one's own account: another's is not seen and not revoked", async () => {
    const { body } = await owner.ask('POST', '/app/keys', { body: { name: 'Ours' } });
    const { key, secret } = body as { key: { id: string }; secret: string };
    expect((await stranger.get('/app/keys')).body).toEqual({ keys: [] });
    expect(codeOf(await stranger.ask('DELETE', `/app/keys/${key.id}`))).toBe('404 key_not_found');
    expect((await gateway.ask('/api/v1/me', { headers: { authorization: `Bearer ${secret}` } })).status).toBe(200);
  });
});

describe('the scope and the maker of an API key', () => {
  const make = async (who: Browser, body: object) =>
    (await who.ask('POST', '/app/keys', { body })).body as { key: { id: string; createdBy: string }; secret: string };
  const bearer = ({ secret }: { secret: string }) => ({ authorization: `Bearer ${secret}` });

  it('a key that may only read reads, and is refused with 403 whatever it would change', async () => {
    const headers = bearer(await make(owner, { name: 'Reports', scope: 'read' }));
    expect((await gateway.ask('/api/v1/me', { headers })).body).toMatchObject({ key: { scope: 'read' } });
    expect((await gateway.ask('/api/v1/calls', { headers })).status).toBe(200);
    const upload = form([['file', audioFile('excerpt.mp3')]]);
    const changes: [string, RequestInit][] = [
      ['/api/v1/calls', { method: 'POST', body: upload }],
      ['/api/v1/calls/call_x', { method: 'DELETE' }],
      ['/api/v1/calls/call_x/restore', { method: 'POST' }],
      ['/api/v1/calls/call_x/speakers', { method: 'PUT', body: '{}' }],
    ];
    for (const [path, init] of changes) {
      const answer = await gateway.ask(path, { ...init, headers });
      expect(codeOf(answer)).toBe('403 insufficient_scope');
      expect(answer.headers.get('www-authenticate')).toBe('Bearer error="insufficient_scope", scope="write"');
    }
    expect(await gateway.recordings()).toEqual([]);
  });

  it('a key names the user who created it, and is refused as soon as that user is removed', async () => {
    const { browser, user } = await signedUp(gateway, 'maker@acme.example', { invitation: await invite('member') });
    const made = await make(browser, { name: 'Theirs' });
    expect(made.key.createdBy).toBe(user.id);
    expect((await gateway.ask('/api/v1/me', { headers: bearer(made) })).status).toBe(200);
    expect((await owner.ask('DELETE', `/app/members/${user.id}`)).status).toBe(204);
    expect(codeOf(await gateway.ask('/api/v1/me', { headers: bearer(made) }))).toBe('401 invalid_api_key');
  });

  it('an expiry that is not in the future or no date, and a scope that is none, are refused by name', async () => {
    const ask = (body: object) => owner.ask('POST', '/app/keys', { body: { name: 'x', ...body } });
    expect(codeOf(await ask({ expiresAt: '2001-01-01T00:00:00Z' }))).toBe('422 invalid_expiry');
    expect(await ask({ expiresAt: 'soon' })).toMatchObject({
      status: 400,
      body: { detail: expect.stringContaining('"expiresAt"') },
    });
    expect(await ask({ scope: 'all' })).toMatchObject({
      status: 400,
      body: { detail: expect.stringContaining('"scope"') },
    });
  });
});

describe('what owners may and members may not', () => {
  it('both see who is a member', async () => {
    for (const who of [owner, member]) {
      const { members } = (await who.get('/app/members')).body as { members: { userId: string; role: string }[] };
      expect(members.map(({ userId, role }) => [userId, role])).toEqual([
        [ownerId, 'owner'],
        [memberId, 'member'],
      ]);
    }
  });

  it('only owners invite, change roles, remove others and delete the account', async () => {
    expect(codeOf(await member.ask('POST', '/app/invitations', { body: { role: 'member' } }))).toBe('403 not_allowed');
    expect(codeOf(await member.get('/app/invitations'))).toBe('403 not_allowed');
    expect(codeOf(await member.ask('PATCH', `/app/members/${memberId}`, { body: { role: 'owner' } }))).toBe(
      '403 not_allowed',
    );
    expect(codeOf(await member.ask('DELETE', `/app/members/${ownerId}`))).toBe('403 not_allowed');
    const body = { accountName: 'Acme', password: PASSWORD };
    expect(codeOf(await member.ask('DELETE', '/app/account', { body }))).toBe('403 not_allowed');
    expect((await owner.get('/app/session')).status).toBe(200);
  });

  it('owners of another account are nobody here', async () => {
    expect(codeOf(await stranger.ask('PATCH', `/app/members/${memberId}`, { body: { role: 'owner' } }))).toBe(
      '404 member_not_found',
    );
    expect(codeOf(await stranger.ask('DELETE', `/app/members/${memberId}`))).toBe('404 member_not_found');
    expect(codeOf(await owner.ask('DELETE', `/app/members/${strangerId}`))).toBe('404 member_not_found');
  });

  it('the last owner stays', async () => {
    expect(codeOf(await owner.ask('PATCH', `/app/members/${ownerId}`, { body: { role: 'member' } }))).toBe(
      '409 last_owner',
    );
    expect(codeOf(await owner.ask('DELETE', `/app/members/${ownerId}`))).toBe('409 last_owner');
  });

  it('a member becomes an owner and is one with the next request', async () => {
    const changed = await owner.ask('PATCH', `/app/members/${memberId}`, { body: { role: 'owner' } });
    expect(changed).toMatchObject({ status: 200, body: { userId: memberId, role: 'owner' } });
    expect((await member.get('/app/invitations')).status).toBe(200);
    await owner.ask('PATCH', `/app/members/${memberId}`, { body: { role: 'member' } });
    expect(codeOf(await member.get('/app/invitations'))).toBe('403 not_allowed');
  });

  it("a removed member's session is over at once, at every address", async () => {
    const { browser, user } = await signedUp(gateway, 'gone@acme.example', { invitation: await invite('member') });
    expect((await owner.ask('DELETE', `/app/members/${user.id}`)).status).toBe(204);
    expect(codeOf(await browser.get('/app/session'))).toBe('401 not_signed_in');
    expect(codeOf(await browser.get('/api/v1/calls'))).toBe('401 invalid_api_key');
  });

  it('a member may leave, and their browser forgets them', async () => {
    const { browser, user } = await signedUp(gateway, 'leaves@acme.example', { invitation: await invite('member') });
    expect((await browser.ask('DELETE', `/app/members/${user.id}`)).status).toBe(204);
    expect(browser.cookie).toBeNull();
  });
});

describe('invitations', () => {
  it('lead to a page of this service, with their token where no server sees it', async () => {
    const { body } = await owner.ask('POST', '/app/invitations', { body: { role: 'member' } });
    const { url, invitation } = body as { url: string; invitation: { id: string } };
    expect(url).toMatch(new RegExp(`^${gateway.url}/invitation#token=[\\w-]{20,}$`));
    const token = url.split('token=')[1] ?? '';
    const found = await new Browser(gateway).ask('POST', '/app/invitations/find', { body: { token } });
    expect(found).toMatchObject({ status: 200, body: { accountName: 'Acme', role: 'member' } });
    expect(JSON.stringify(gateway.log)).not.toContain(token);
    expect((await owner.ask('DELETE', `/app/invitations/${invitation.id}`)).status).toBe(204);
    expect(codeOf(await new Browser(gateway).ask('POST', '/app/invitations/find', { body: { token } }))).toBe(
      '404 invitation_not_valid',
    );
    expect(codeOf(await owner.ask('DELETE', `/app/invitations/${invitation.id}`))).toBe('404 invitation_not_found');
  });

  it('lead to PUBLIC_URL where that is set', async () => {
    const elsewhere = await runGateway({ settings: { PUBLIC_URL: 'https://calls.example.com', SIGN_UP: 'open' } });
    const { browser } = await signedUp(elsewhere, 'owner@acme.example');
    const { body } = await browser.ask('POST', '/app/invitations', { body: { role: 'member' } });
    expect(body).toMatchObject({ url: expect.stringMatching(/^https:\/\/calls\.example\.com\/invitation#token=/) });
    await elsewhere.stop();
  });

  it('work once', async () => {
    const token = await invite('member');
    const { browser, account } = await signedUp(gateway, 'twice@acme.example', { invitation: token });
    expect(account.name).toBe('Acme');
    const body = { name: 'Late', email: 'late@acme.example', password: PASSWORD, invitation: token };
    expect(codeOf(await new Browser(gateway).ask('POST', '/app/users', { body }))).toBe('404 invitation_not_valid');
    expect((await browser.get('/app/session')).status).toBe(200);
  });
});

describe('profile and password', () => {
  it('the name is changed, and what is no name is refused', async () => {
    expect(await member.ask('PATCH', '/app/profile', { body: { name: 'Mia' } })).toMatchObject({
      status: 200,
      body: { user: { name: 'Mia' } },
    });
    expect((await member.get('/app/session')).body).toMatchObject({ user: { name: 'Mia' } });
    expect(codeOf(await member.ask('PATCH', '/app/profile', { body: { name: '  ' } }))).toBe('422 invalid_name');
  });

  it('a new password ends every other session, and needs the current one', async () => {
    const { browser } = await signedUp(gateway, 'pass@acme.example');
    const other = new Browser(gateway);
    await other.ask('POST', '/app/session', { body: { email: 'pass@acme.example', password: PASSWORD } });
    const change = (currentPassword: string, newPassword: string) =>
      browser.ask('PUT', '/app/password', { body: { currentPassword, newPassword } });
    expect(codeOf(await change('wrong horse battery', 'another good password'))).toBe('403 wrong_password');
    expect(codeOf(await change(PASSWORD, 'short'))).toBe('422 weak_password');
    expect((await change(PASSWORD, 'another good password')).status).toBe(204);
    expect((await browser.get('/app/session')).status).toBe(200);
    expect((await other.get('/app/session')).status).toBe(401);
  });

  it('a forgotten password is replaced by a link, once; asking for one says nothing of who there is', async () => {
    const { browser } = await signedUp(gateway, 'forgot@acme.example');
    for (const email of ['forgot@acme.example', 'nobody@acme.example'])
      expect(await new Browser(gateway).ask('POST', '/app/password-resets', { body: { email } })).toMatchObject({
        status: 202,
        body: '',
      });
    const { token } = await gateway.users.makeResetLink({ email: 'forgot@acme.example' });
    const reset = () =>
      new Browser(gateway).ask('PUT', '/app/password-resets', {
        body: { token, newPassword: 'another good password' },
      });
    expect((await reset()).status).toBe(204);
    expect(codeOf(await reset())).toBe('404 link_not_valid');
    expect((await browser.get('/app/session')).status).toBe(401);
    const signIn = { email: 'forgot@acme.example', password: 'another good password' };
    expect((await new Browser(gateway).ask('POST', '/app/session', { body: signIn })).status).toBe(200);
  });
});

describe('every address of /app that needs somebody', () => {
  it.each([
    ['GET', '/app/session'],
    ['PATCH', '/app/profile'],
    ['PUT', '/app/password'],
    ['GET', '/app/keys'],
    ['POST', '/app/keys'],
    ['DELETE', '/app/keys/key_x'],
    ['GET', '/app/members'],
    ['PATCH', '/app/members/usr_x'],
    ['DELETE', '/app/members/usr_x'],
    ['GET', '/app/invitations'],
    ['POST', '/app/invitations'],
    ['DELETE', '/app/invitations/inv_x'],
    ['DELETE', '/app/account'],
    ['GET', '/app/calls'],
    ['GET', '/app/overview?from=2026-01-01&to=2026-01-02&timeZone=UTC'],
    ['GET', '/app/events'],
  ])('is 401 to nobody: %s %s', async (method, path) => {
    expect(codeOf(await new Browser(gateway).ask(method, path))).toBe('401 not_signed_in');
  });

  it('takes the methods that it is described with, and says which', async () => {
    const answer = await owner.ask('PUT', '/app/keys', { body: {} });
    expect(codeOf(answer)).toBe('405 method_not_allowed');
    expect(answer.headers.get('allow')).toBe('GET, HEAD, POST');
  });
});
