import { hashSecret } from '#infra/secrets'
import { setDevicePassword } from '#schema/device/commands/password'
import { obeys } from '../command.ts'

/** The accounts of stock OpenWrt that can log in. */
const ACCOUNTS = ['root']

export const obeySetDevicePassword = obeys(setDevicePassword, async (part, { account, password }) => {
  if (!ACCOUNTS.includes(account)) throw new Error(`there is no account ${account}`)
  await part.settings.put('rootPassword', hashSecret(password))
  part.note('notice', 'passwd', `password of ${account} changed`)
  return {}
})
