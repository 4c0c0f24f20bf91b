import { Button, Skeleton } from '@mantine/core'
import { useFullscreenElement } from '@mantine/hooks'
import { IconLayoutGridAdd, IconMaximize } from '@tabler/icons-react'
import { parseAsBoolean, useQueryState } from 'nuqs'
import { Suspense, useState } from 'react'
import type { ReplyOf } from '#schema/kit/call'
import type { Word } from '#schema/kit/words.gen'
import { getPanel, panelEditPermission, panelListScreen, panelScreen } from '#schema/monitor/panel'
import { NO_PERMISSION } from '../kit/api.ts'
import { lazy } from '../kit/chunk.ts'
import { Empty } from '../kit/empty.tsx'
import { ReadBar } from '../kit/error-bar.tsx'
import { t } from '../kit/i18n.ts'
import { goTo } from '../kit/navigation.ts'
import { focusContent } from '../kit/page/focus-content.ts'
import { HeaderActions } from '../kit/page/header-actions.tsx'
import { usePage, usePageTitle } from '../kit/page/page.tsx'
import { PageHeader } from '../kit/page/page-header.tsx'
import { screenTitle } from '../kit/page/screen-title.ts'
import { useCall } from '../kit/query.ts'
import { can } from '../kit/session.ts'
import { toast } from '../kit/toast.tsx'
import { LiveMark } from '../monitor/live-mark.tsx'
import { VariableWrite } from '../monitor/variable-write.tsx'
import classes from '../panel/panel.module.css'
import { PanelGrid } from '../panel/panel-grid.tsx'
import { usePanelValues } from '../panel/panel-values.ts'
import { PanelWidget } from '../panel/panel-widget.tsx'

export const words: readonly Word[] = [
  'panel',
  'variable',
  'alarm',
  'variable-write',
  'command',
  'device',
  'user',
]

// Those who only look at panels do not need it.
const PanelEditor = lazy(() =>
  import('../panel/panel-editor.tsx').then((module) => ({ default: module.PanelEditor })),
)

/** So that a wall display shows changes made elsewhere. */
const REFRESH_S = 30

type Panel = ReplyOf<typeof getPanel>

function PanelView({ panel, onEdit }: { panel: Panel; onEdit: () => void }) {
  const { ref, toggle, fullscreen } = useFullscreenElement<HTMLDivElement>()
  const { widgets, projectId } = panel
  const { read, values } = usePanelValues(projectId, widgets)
  const press = () => {
    if (!document.fullscreenEnabled) return void toast('warning', t('shell:fullscreen.unsupported'))
    void toggle()
  }
  return (
    <div ref={ref} className={fullscreen ? classes['wall'] : undefined}>
      {/* Also behind a full screen, which a switch leaves. */}
      <VariableWrite />
      {fullscreen ? null : (
        <PageHeader
          title={panel.name}
          line={panel.projectName}
          actions={
            <>
              <LiveMark />
              <HeaderActions
                actions={[
                  { key: 'wall', icon: IconMaximize, label: t('panel:fullScreen'), run: press },
                  {
                    key: 'edit',
                    icon: IconLayoutGridAdd,
                    label: t('panel:edit'),
                    permission: panelEditPermission,
                    primary: true,
                    run: onEdit,
                  },
                ]}
              />
            </>
          }
        />
      )}
      {widgets.length > 0 ? <ReadBar read={read} /> : null}
      {widgets.length === 0 ? (
        <Empty
          title={t('panel:empty.title')}
          text={t('panel:empty.text')}
          action={can(panelEditPermission) ? <Button onClick={onEdit}>{t('panel:edit')}</Button> : undefined}
        />
      ) : (
        <PanelGrid
          widgets={widgets}
          fills={fullscreen}
          draw={(widget) => <PanelWidget widget={widget} values={values} panelId={panel.id} />}
        />
      )}
    </div>
  )
}

export function Page() {
  const { params } = usePage()
  const id = Number(params['panelId'])
  const possible = Number.isSafeInteger(id) && id > 0
  const [edits, setEdits] = useQueryState('edit', parseAsBoolean.withDefault(false))
  // If the permission is withdrawn meanwhile, what was composed stays; only Save is disabled.
  const [mayAtFirst] = useState(() => can(panelEditPermission))
  const isEdited = edits && (mayAtFirst || can(panelEditPermission))
  const read = useCall(getPanel, { id }, { enabled: possible, refreshS: isEdited ? 0 : REFRESH_S })
  const panel = read.data
  usePageTitle(panel?.name)
  const turn = (edited: true | null) => {
    // The button that has the focus is replaced with everything else.
    focusContent()
    void setEdits(edited)
  }
  if (!possible || read.error?.code === NO_PERMISSION)
    return (
      <>
        <PageHeader title={screenTitle(panelScreen)} />
        <Empty
          kind="noPermission"
          title={t('panel:missing.title')}
          text={t('panel:missing.text')}
          action={
            <Button variant="default" onClick={() => goTo(panelListScreen.path)}>
              {t('panel:missing.back')}
            </Button>
          }
        />
      </>
    )
  return (
    <>
      <ReadBar read={read} />
      {panel ? (
        isEdited ? (
          <Suspense fallback={<Skeleton h={420} aria-busy />}>
            <PanelEditor panel={panel} onEnd={() => turn(null)} />
          </Suspense>
        ) : (
          <PanelView panel={panel} onEdit={() => turn(true)} />
        )
      ) : read.error ? null : (
        <Skeleton h={420} aria-busy />
      )}
    </>
  )
}
