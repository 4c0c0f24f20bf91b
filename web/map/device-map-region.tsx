import { Button, CloseButton, Group, Menu } from '@mantine/core'
import { IconChevronDown, IconListCheck, IconPackageImport } from '@tabler/icons-react'
import { Link } from 'react-router'
import { getDeviceList } from '#schema/device/device'
import { deviceListScreen } from '#schema/device/device-pages'
import { upgradeCreatePermission } from '#schema/task/task-pages'
import { commandsToMany } from '../command/commands.ts'
import { openDeviceDialog } from '../device/device-dialogs.tsx'
import { number } from '../kit/format.ts'
import { t, tOr } from '../kit/i18n.ts'
import { goTo } from '../kit/navigation.ts'
import { useCall } from '../kit/query.ts'
import { can } from '../kit/session.ts'
import classes from './device-map.module.css'

type Props = { region: string; onClear: () => void }

/** The devices of a drawn region: counted by the server, then passed on as a filter, never as a list of ids. */
export function DeviceMapRegion({ region, onClear }: Props) {
  const all = useCall(getDeviceList, { region, limit: 1 }, { keepPrevious: true })
  const online = useCall(getDeviceList, { region, online: 'online', limit: 1 }, { keepPrevious: true })
  const count = all.data?.total
  const filter = { region }
  const commands = commandsToMany.filter(({ permission }) => can(permission))
  return (
    <section className={classes['region']} aria-label={t('device-map:region.title')} aria-live="polite">
      <span>
        <strong>
          {count === undefined ? '…' : t('device-map:region.count', { count, shown: number(count) })}
        </strong>
        {online.data ? ` · ${t('device-map:region.online', { count: number(online.data.total) })}` : ''}
      </span>
      {count ? (
        <Group gap={8}>
          <Button
            component={Link}
            to={`${deviceListScreen.path}?region=${encodeURIComponent(region)}`}
            variant="default"
            size="compact-sm"
            leftSection={<IconListCheck size={16} stroke={1.5} />}
          >
            {t('device-map:region.list')}
          </Button>
          {can(upgradeCreatePermission) ? (
            <Button
              variant="default"
              size="compact-sm"
              leftSection={<IconPackageImport size={16} stroke={1.5} />}
              onClick={() =>
                goTo(`/task/upgrade?${new URLSearchParams({ new: '1', filter: JSON.stringify(filter) })}`)
              }
            >
              {t('device:action.upgrade')}
            </Button>
          ) : null}
          {commands.length > 0 ? (
            <Menu>
              <Menu.Target>
                <Button
                  variant="default"
                  size="compact-sm"
                  rightSection={<IconChevronDown size={16} stroke={1.5} />}
                >
                  {t('device-map:region.commands')}
                </Button>
              </Menu.Target>
              <Menu.Dropdown>
                {commands.map(({ name, Icon }) => (
                  <Menu.Item
                    key={name}
                    leftSection={<Icon size={16} stroke={1.5} />}
                    onClick={() =>
                      openDeviceDialog({
                        kind: 'command',
                        many: { name: null, count, selection: { filter } },
                        command: name,
                      })
                    }
                  >
                    {tOr(`command:name.${name}`, name)}
                  </Menu.Item>
                ))}
              </Menu.Dropdown>
            </Menu>
          ) : null}
        </Group>
      ) : null}
      <CloseButton size="sm" aria-label={t('device-map:region.clear')} onClick={onClear} />
    </section>
  )
}
