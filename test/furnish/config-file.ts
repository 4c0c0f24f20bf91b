import { addConfigFile, configArchive } from '../config-archive.ts'
import { furnish } from '../furnish.ts'

export const furnishConfigFile = furnish(async (context, { name, customerId }) => {
  const content = await configArchive({ 'etc/config/system': `config system\n\toption hostname '${name}'\n` })
  const { id } = await addConfigFile(context, { customerId, name: `${name} settings`, content })
  return {
    own: Object.fromEntries(
      [
        'configFile/modifyConfigFile',
        'configFile/deleteConfigFile',
        'configFile/downloadConfigFile',
        'configFile/getConfigFileContents',
        'configTask/preflight',
        'configTask/addConfig',
      ].map((call) => [call, { spId: id }]),
    ),
  }
})
