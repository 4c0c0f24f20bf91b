import { furnish } from '../furnish.ts'

export const furnishTerminal = furnish(async ({ sql }, tenant) => {
  const [made] = await sql<{ id: number }[]>`
    insert into terminals (device_id, name, template, protocol, slave_id, slave_address)
    values (${tenant.devices[0]?.id ?? 0}, ${`${tenant.name} meter`}, 'Meter', 'modbusRtu', 1, 'bus1') returning id`
  const id = { id: made?.id }
  return {
    own: { 'terminal/modifyTerminal': id, 'terminal/hideTerminal': id, 'terminal/deleteTerminal': id },
  }
})
