import { expect, it } from 'vitest'
import { edgeCommand } from './edge-command.ts'

const community = { account: 'branch-of-shanghai', password: "it's", supernode: 'sn.example.net:9001' }
const command = (bridged: boolean, version: number | null) =>
  edgeCommand({ ...community, bridged, version }).replaceAll(/ \\\n +/g, ' ')

it('has a user where the supernode knows users, whose name is as long as n2n keeps it', () => {
  const joined = "edge -c branch-of-shanghai -I branch-of-shang -J 'it'\\''s' -A5 -k 'it'\\''s'"
  expect(command(false, 3)).toBe(`${joined} -l sn.example.net:9001`)
  expect(command(true, 3)).toBe(`${joined} -r -a dhcp:0.0.0.0 -l sn.example.net:9001`)
  expect(command(false, null)).toBe(`${joined} -l sn.example.net:9001`)
})

it('has only options that older versions know', () => {
  const joined = "edge -c branch-of-shanghai -k 'it'\\''s'"
  expect(command(false, 2)).toBe(`${joined} -a ADDRESS -l sn.example.net:9001`)
  expect(command(true, 2)).toBe(`${joined} -r -a dhcp:0.0.0.0 -l sn.example.net:9001`)
  expect(command(true, 1)).toBe(`${joined} -r -a ADDRESS -l sn.example.net:9001`)
})
