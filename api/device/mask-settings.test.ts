import { expect, it } from 'vitest'
import { maskSettings } from './mask-settings.ts'

const wireless = (key: string) => `config wifi-iface 'home'\n\toption ssid 'Shop'\n\toption key '${key}'\n`
const shown = (path: string, text: string) => maskSettings(path, text, 'installation')

it('shows settings without their secrets', () => {
  const text = shown('etc/config/wireless', `# key correct horse\n${wireless('correct horse')}`)
  expect(text).toContain("option ssid 'Shop'")
  expect(text).toMatch(/option key '\*\*\*[0-9a-f]{4}'/)
  expect(text).not.toContain('correct horse')
})

it('shows that a secret has changed, and that another has not', () => {
  const [one, same, other] = ['a-password', 'a-password', 'b-password'].map((key) =>
    shown('etc/config/wireless', wireless(key)),
  )
  expect(one).toBe(same)
  expect(one).not.toBe(other)
})

it('leaves text without secrets as it is, with its comments', () => {
  const text = "# kept\nconfig system\n\toption hostname   'a'\n"
  expect(shown('etc/config/system', text)).toBe(text)
  expect(shown('etc/banner', 'hello')).toBe('hello')
})

it.each([
  ['etc/shadow', 'root:$1$x:0'],
  ['etc/openvpn/client.key', '-----BEGIN PRIVATE KEY-----\nx'],
  ['etc/config/broken', "option key 'x"],
])('does not show %s', (path, text) => {
  expect(shown(path, text)).toBeNull()
})
