import { configure } from '../configured.ts'
import { furnish } from '../furnish.ts'

/** A device whose configuration contains the name of its customer. */
export const furnishConfig = furnish(async (context, tenant) => {
  const deviceId = tenant.devices[0]?.id ?? 0
  await configure(context, deviceId, {
    doc: {
      network: {
        name: 'network',
        sections: [
          {
            type: 'interface',
            name: 'wan',
            options: [
              { name: 'proto', value: 'dhcp' },
              { name: 'hostname', value: `${tenant.name.replace(/\W/g, '')}.example` },
            ],
          },
        ],
      },
    },
  })
  const uciText = "package network\n\nconfig interface 'wan'\n\toption proto 'dhcp'\n"
  return {
    own: Object.fromEntries([
      ...['getConfigPage', 'saveConfigDraft'].map((call) => [`config/${call}`, { page: 'wan' }]),
      ...['compareUci', 'importUci', 'readUci'].map((call) => [`config/${call}`, { uciText }]),
    ]),
  }
})
