/**
 * Each rule of §5 and each message of §8 that the product has so far, and the test that holds it. A renamed or deleted
 * test fails here; a rule of a later page is added with that page.
 */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

const root = fileURLToPath(new URL('..', import.meta.url))
const tests = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '*.test.ts', '*.test.tsx'], {
  cwd: root,
  encoding: 'utf8',
})
  .split('\n')
  .filter((path) => path !== '' && path !== 'test/spec-rules.test.ts')
const texts = new Map(tests.map((path) => [path, readFileSync(join(root, path), 'utf8')]))

type Held = readonly [rule: string, file: string, name: string]

const rules: readonly Held[] = [
  [
    'Login: shorter than 6 is too short',
    'api/calls/session',
    'rejects a password shorter than 6 as too short',
  ],
  ['Login: wrong credentials', 'api/calls/session', 'answers an unknown user and a wrong password alike'],
  ['Username', 'api/calls/user', 'Username: digits, letters, underscore'],
  ['User password, confirmation', 'api/calls/user', 'User password: 6-16 characters with two kinds'],
  ['Role and user identity required', 'api/calls/user', 'Role and user identity required'],
  ['Phone and email formats', 'api/calls/user', 'Phone and email formats checked'],
  ['Change password: entered twice differs', 'test/browser/messages', 'the password entered twice differs'],
  ['Change password: 6-16, two kinds', 'api/calls/session', '6–16 characters, two kinds'],
  ['Email binding', 'api/calls/profile', 'enter a correct email'],
  ['Group: name required', 'api/calls/group-edit', 'is required'],
  ['Group: name unique', 'api/calls/group-edit', 'duplicate group name'],
  ['Group: account 6-18, no Chinese', 'api/calls/group-edit', 'has 6 to 18 characters, both ends included'],
  ['Group: password 6-18, no Chinese', 'api/calls/group-edit', 'has a password of 6 to 18 characters'],
  ['Group: remote account unique', 'api/calls/group-edit', 'duplicate remote account'],
  ['Group: remote IP valid', 'api/calls/group-edit', 'has a remote IP that a host can have'],
  ['Customer: name required', 'api/calls/customer', 'name required'],
  ['Customer: role required', 'api/calls/customer', 'role required'],
  ['Device: name and location', 'api/calls/device', 'needs a name and a location [§5 Device]'],
  ['Device: added with both', 'api/calls/device', 'is not added with %s [§5 Device]'],
  ['N2n: name, address, integer version', 'api/calls/n2n-server', 'the version is an integer'],
  ['N2n: port', 'api/calls/n2n-server', 'the port is between 9001 and 50000'],
  ['N2n: no duplicates', 'api/calls/n2n-server', 'no duplicates'],
  ['Terminal', 'api/calls/terminal', '[§5 Terminal]'],
  ['Alarm contact: required', 'api/calls/contact', '%s is required'],
  ['Alarm contact: phone unique', 'api/calls/contact', '"phone already exists"'],
  ['Alarm contact: email unique', 'api/calls/contact', '"email already exists"'],
  ['Uploads: .tar.gz', 'test/browser/walk', 'refuses a file that is no .tar.gz'],
  ['Uploads: JPG or PNG to 2 MB', 'api/calls/image', 'Avatar and logo JPG or PNG up to 2MB'],
  ['Uploads: larger pictures', 'api/calls/image', 'larger than 2 MB are refused'],
  ['Template roles', 'api/calls/role', 'Template roles cannot be edited'],
]

const messages: readonly Held[] = [
  ['2, 20: ended, log in again', 'test/browser/session', 'codes 2 and 20 while a page is open'],
  ['2, 20: storage cleared', 'test/browser/session', 'clear what is stored at once'],
  ['5: permission insufficient', 'test/browser/messages', 'warns: permission insufficient'],
  ['15: old password', 'test/browser/messages', 'that the old password is incorrect'],
  ['15: user password', 'test/browser/messages', 'that the user password is incorrect'],
  ['cancelled requests', 'test/browser/messages', 'ignores the requests silently'],
  ['request timed out', 'test/browser/messages', 'says that a request timed out, please retry'],
  ['device not online', 'api/calls/command', 'device not online'],
  ['device does not support this', 'api/calls/command', 'device does not support this feature'],
  ['no device selected', 'api/calls/unusual', 'no device selected is said so'],
  ['user already exists', 'api/calls/user', 'Duplicates: user, email, phone already exists'],
  ['customer already exists', 'api/calls/customer', 'Duplicates: customer already exists'],
  ['name already exists', 'api/calls/alarm-rule', 'has a name of its own within the customer'],
  ['parameter Chinese name', 'api/calls/parameter', 'duplicate parameter Chinese name'],
  ['parameter English name', 'api/calls/parameter', 'duplicate parameter English name'],
  ['blocked: group with devices', 'api/calls/group-edit', 'a group with devices cannot be deleted'],
  ['blocked: default group', 'api/calls/group-edit', 'the default group cannot be deleted'],
  ['blocked: customer', 'api/calls/customer', 'customer cannot be deleted'],
  ['blocked: super administrator', 'api/calls/user', 'super administrator cannot be deleted'],
  ['blocked: n2n server', 'api/calls/n2n-server', 'has groups or devices cannot be deleted'],
  [
    'insufficient permission (customer add)',
    'api/calls/customer',
    'insufficient permission (on customer add)',
  ],
  ['alarm rule fetch failed', 'api/calls/alarm-rule', '"alarm rule fetch failed"'],
  ['the words in three languages', 'schema/refusals', '[§8]'],
]

describe('the specification', () => {
  it.each([...rules, ...messages])('%s is held by %s: %s', (_rule, file, name) => {
    expect(texts.get(`${file}.test.ts`) ?? 'no such file').toContain(name)
  })
})
