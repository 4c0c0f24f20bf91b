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
    'api/people/session',
    'rejects a password shorter than 6 as too short',
  ],
  ['Login: wrong credentials', 'api/people/session', 'answers an unknown user and a wrong password alike'],
  ['Username', 'api/people/user', 'Username: digits, letters, underscore'],
  ['User password, confirmation', 'api/people/user', 'User password: 6-16 characters with two kinds'],
  ['Role and user identity required', 'api/people/user', 'Role and user identity required'],
  ['Phone and email formats', 'api/people/user', 'Phone and email formats checked'],
  ['Change password: entered twice differs', 'test/browser/messages', 'the password entered twice differs'],
  ['Change password: 6-16, two kinds', 'api/people/session', '6–16 characters, two kinds'],
  ['Email binding', 'api/people/profile', 'enter a correct email'],
  ['Group: name required', 'api/group/group-edit', 'is required'],
  ['Group: name unique', 'api/group/group-edit', 'duplicate group name'],
  ['Group: account 6-18, no Chinese', 'api/group/group-edit', 'has 6 to 18 characters, both ends included'],
  ['Group: password 6-18, no Chinese', 'api/group/group-edit', 'has a password of 6 to 18 characters'],
  ['Group: remote account unique', 'api/group/group-edit', 'duplicate remote account'],
  ['Group: remote IP valid', 'api/group/group-edit', 'has a remote IP that a host can have'],
  ['Customer: name required', 'api/people/customer', 'name required'],
  ['Customer: role required', 'api/people/customer', 'role required'],
  ['Device: name and location', 'api/device/device', 'needs a name and a location [§5 Device]'],
  ['Device: added with both', 'api/device/device', 'is not added with %s [§5 Device]'],
  ['N2n: name, address, integer version', 'api/group/n2n-server', 'the version is an integer'],
  ['N2n: port', 'api/group/n2n-server', 'the port is between 9001 and 50000'],
  ['N2n: no duplicates', 'api/group/n2n-server', 'no duplicates'],
  ['Terminal', 'api/device/terminal', '[§5 Terminal]'],
  ['Alarm contact: required', 'api/alarm/contact', '%s is required'],
  ['Alarm contact: phone unique', 'api/alarm/contact', '"phone already exists"'],
  ['Alarm contact: email unique', 'api/alarm/contact', '"email already exists"'],
  ['Uploads: .tar.gz', 'test/browser/walk', 'refuses a file that is no .tar.gz'],
  ['Uploads: JPG or PNG to 2 MB', 'api/people/image', 'Avatar and logo JPG or PNG up to 2MB'],
  ['Uploads: larger pictures', 'api/people/image', 'larger than 2 MB are refused'],
  ['Template roles', 'api/people/role', 'Template roles cannot be edited'],
]

const messages: readonly Held[] = [
  ['2, 20: ended, log in again', 'test/browser/session', 'codes 2 and 20 while a page is open'],
  ['2, 20: storage cleared', 'test/browser/session', 'clear what is stored at once'],
  ['5: permission insufficient', 'test/browser/messages', 'warns: permission insufficient'],
  ['15: old password', 'test/browser/messages', 'that the old password is incorrect'],
  ['15: user password', 'test/browser/messages', 'that the user password is incorrect'],
  ['cancelled requests', 'test/browser/messages', 'ignores the requests silently'],
  ['request timed out', 'test/browser/messages', 'says that a request timed out, please retry'],
  ['device not online', 'api/command/command', 'device not online'],
  ['device does not support this', 'api/command/command', 'device does not support this feature'],
  ['no device selected', 'api/device/unusual', 'no device selected is said so'],
  ['user already exists', 'api/people/user', 'Duplicates: user, email, phone already exists'],
  ['customer already exists', 'api/people/customer', 'Duplicates: customer already exists'],
  ['name already exists', 'api/alarm/alarm-rule', 'has a name of its own within the customer'],
  ['parameter Chinese name', 'api/platform/parameter', 'duplicate parameter Chinese name'],
  ['parameter English name', 'api/platform/parameter', 'duplicate parameter English name'],
  ['blocked: group with devices', 'api/group/group-edit', 'a group with devices cannot be deleted'],
  ['blocked: default group', 'api/group/group-edit', 'the default group cannot be deleted'],
  ['blocked: customer', 'api/people/customer', 'customer cannot be deleted'],
  ['blocked: super administrator', 'api/people/user', 'super administrator cannot be deleted'],
  ['blocked: n2n server', 'api/group/n2n-server', 'has groups or devices cannot be deleted'],
  [
    'insufficient permission (customer add)',
    'api/people/customer',
    'insufficient permission (on customer add)',
  ],
  ['alarm rule fetch failed', 'api/alarm/alarm-rule', '"alarm rule fetch failed"'],
  ['the words in three languages', 'schema/refusals', '[§8]'],
]

describe('the specification', () => {
  it.each([...rules, ...messages])('%s is held by %s: %s', (_rule, file, name) => {
    expect(texts.get(`${file}.test.ts`) ?? 'no such file').toContain(name)
  })
})
