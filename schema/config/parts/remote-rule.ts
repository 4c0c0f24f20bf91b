/** The rules of the firewall that open a device's own services to networks outside: found by their names. */
import { indexOf, saidBy, sectionOf, textOf, type Where, withOption, withSection } from '../bind.ts'
import type { UciDoc, UciSection } from '../uci.ts'
import { wordsOf } from '../zone.ts'

const services = ['web', 'ssh'] as const
type Service = (typeof services)[number]
/** The access to open: the ports of each service, none if it is closed, and the source. */
export type Opened = Readonly<Record<Service, readonly number[]>> & { readonly networks: readonly string[] }

const nameOf = { web: 'Allow-Remote-Web', ssh: 'Allow-Remote-SSH' } as const
const ruleOf = (service: Service): Where => ({
  package: 'firewall',
  type: 'rule',
  match: { name: nameOf[service] },
})

const isOn = (rule: UciSection | undefined) =>
  rule !== undefined &&
  !['0', 'off', 'false', 'no', 'disabled'].includes(textOf(saidBy(rule, 'enabled'))) &&
  textOf(saidBy(rule, 'target')).toUpperCase() === 'ACCEPT'

export const opensFor = (doc: UciDoc, service: Service): boolean => isOn(sectionOf(doc, ruleOf(service)))

/** Both rules have the same; of the first that exists. */
export function networksOf(doc: UciDoc): string[] {
  const rule = services.map((service) => sectionOf(doc, ruleOf(service))).find((one) => one !== undefined)
  return rule ? wordsOf(rule, 'src_ip') : []
}

const portsOf = (doc: UciDoc, service: Service) => {
  const rule = sectionOf(doc, ruleOf(service))
  return rule ? wordsOf(rule, 'dest_port') : []
}

/** Opens, changes or switches off. A closed rule stays, so that its place in the order does. */
function withService(doc: UciDoc, service: Service, ports: readonly number[], networks: readonly string[]) {
  if (ports.length === 0)
    return indexOf(doc, ruleOf(service)) < 0
      ? doc
      : withSection(doc, ruleOf(service), (rule) => withOption(rule, 'enabled', '0'))
  const options = {
    src: 'wan',
    src_ip: networks.length > 0 ? networks : null,
    proto: 'tcp',
    dest_port: ports.join(' '),
    target: 'ACCEPT',
  }
  return withSection(doc, ruleOf(service), (rule) =>
    Object.entries(options).reduce(
      (after, [option, value]) => withOption(after, option, value),
      withOption(rule, 'enabled', null),
    ),
  )
}

export function withOpened(doc: UciDoc, opened: Opened, before: UciDoc): UciDoc {
  const moved = networksOf(before).join() !== opened.networks.join()
  return services.reduce((after, service) => {
    const ports = opened[service]
    const isOpen = ports.length > 0
    const changed =
      isOpen !== opensFor(before, service) ||
      (isOpen && (moved || portsOf(before, service).join() !== ports.join()))
    return changed ? withService(after, service, ports, opened.networks) : after
  }, doc)
}
