import { Badge, Group, Skeleton, Text } from '@mantine/core'
import { previewRole } from '#schema/people/role'
import { homeScreen } from '#schema/people/session'
import { Modal } from '../kit/dialog.tsx'
import { Empty } from '../kit/empty.tsx'
import { ReadBar } from '../kit/error-bar.tsx'
import { t } from '../kit/i18n.ts'
import { screenTitle } from '../kit/page/screen-title.ts'
import { useCall } from '../kit/query.ts'
import classes from './role.module.css'
import { type Grants, toKeys, usePermissionTree } from './role-grants.ts'

type Props = { opened: boolean; onClose: () => void; name: string; grants: Grants; platform: boolean }

/** [View as] The side menu and functions of a user with these permissions; the logged-in user does not change. */
export function RolePreview({ opened, onClose, name, grants, platform }: Props) {
  const seen = useCall(
    previewRole,
    { functionIds: [...grants.functionIds], menuIds: [...grants.menuIds], platform },
    { enabled: opened },
  )
  const keys = toKeys(grants)
  const { tree } = usePermissionTree()
  const pages = tree
    .flatMap((section) => section.pages)
    .map((page) => ({
      name: page.name,
      held: page.leaves.filter(({ key }) => key.startsWith('f') && keys.has(key)),
    }))
    .filter(({ held }) => held.length > 0)
  const areas = seen.data ? [seen.data.management, seen.data.monitor] : []
  return (
    <Modal opened={opened} onClose={onClose} title={t('role:viewAs.title', { name })} size={880}>
      <Text c="dimmed" mb="sm">
        {t('role:viewAs.text')}
      </Text>
      <ReadBar read={seen} />
      {seen.isPending ? <Skeleton h={240} /> : null}
      {seen.data ? (
        <div className={classes['preview']}>
          <nav className={classes['side']} aria-label={t('role:viewAs.menu')}>
            <div>{screenTitle(homeScreen)}</div>
            {areas.flatMap(({ queryResult, sonId }) =>
              queryResult.map(({ parentId, parentName }) => (
                <section key={parentId}>
                  <h3>{parentName}</h3>
                  {sonId
                    .filter((son) => son.parentId === parentId)
                    .map((son) => (
                      <div key={son.path}>{screenTitle(son)}</div>
                    ))}
                </section>
              )),
            )}
          </nav>
          <div>
            {pages.length === 0 ? <Empty title={t('role:viewAs.nothing')} /> : null}
            {pages.map((page) => (
              <div key={page.name} className={classes['change']}>
                <Text fw={600} mb={4}>
                  {page.name}
                </Text>
                <Group gap={6}>
                  {page.held.map((leaf) => (
                    <Badge key={leaf.key} variant="light" tt="none" fw={400} fz={12}>
                      {leaf.name}
                    </Badge>
                  ))}
                </Group>
              </div>
            ))}
          </div>
        </div>
      ) : null}
    </Modal>
  )
}
