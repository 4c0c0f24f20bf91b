import { Checkbox, Skeleton, Text, TextInput, Tooltip, UnstyledButton } from '@mantine/core'
import { IconChevronDown, IconChevronRight, IconSearch } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { ErrorBar } from '../kit/error-bar.tsx'
import { number } from '../kit/format.ts'
import { t } from '../kit/i18n.ts'
import classes from './role.module.css'
import {
  type Leaf,
  type LeafKey,
  type PageNode,
  type SectionNode,
  searchTree,
  tickOf,
  usePermissionTree,
  whyNone,
  whyNotGranted,
  withLeaves,
} from './role-grants.ts'

type Props = {
  keys: ReadonlySet<LeafKey>
  onChange: (keys: ReadonlySet<LeafKey>) => void
  /** Read-only. */
  locked: boolean
  /** For a customer's role: permissions of the installation cannot be granted. */
  forCustomer: boolean
}

type Ticking = Omit<Props, 'onChange'> & {
  put: (page: PageNode, leaves: readonly Leaf[], on: boolean) => void
  /** Whether something can still be ticked among these; otherwise clicking clears them. */
  wants: (leaves: readonly Leaf[]) => boolean
}

function Count({ held, of }: { held: number; of: number }) {
  return (
    <Text span size="xs" c="dimmed" className={classes['count']}>
      {t('role:count', { held: number(held), of: number(of) })}
    </Text>
  )
}

function LeafBox({ leaf, page, ...props }: Ticking & { leaf: Leaf; page: PageNode }) {
  const why = props.locked ? null : whyNotGranted(leaf, props.forCustomer)
  return (
    <Tooltip label={why} disabled={!why}>
      <div>
        <Checkbox
          size="xs"
          label={leaf.name}
          checked={props.keys.has(leaf.key)}
          disabled={why !== null}
          readOnly={props.locked}
          onChange={(event) => props.put(page, [leaf], event.currentTarget.checked)}
        />
      </div>
    </Tooltip>
  )
}

/** Ticks all of a page or a section; disabled where none of it could be granted, so that it would do nothing. */
function AllBox({
  label,
  leaves,
  onPut,
  ...props
}: Ticking & { label: ReactNode; leaves: readonly Leaf[]; onPut: () => void }) {
  const tick = tickOf(props.keys, leaves)
  const why = props.locked ? null : whyNone(leaves, (leaf) => whyNotGranted(leaf, props.forCustomer))
  return (
    <>
      <Tooltip label={why} disabled={!why}>
        <div>
          <Checkbox
            size="xs"
            label={label}
            checked={tick.checked}
            indeterminate={tick.indeterminate}
            disabled={why !== null}
            readOnly={props.locked}
            onChange={onPut}
          />
        </div>
      </Tooltip>
      <Count {...tick} />
    </>
  )
}

function PageRow({ page, ...props }: Ticking & { page: PageNode }) {
  return (
    <div className={classes['page']}>
      <div className={classes['pageName']}>
        <AllBox
          {...props}
          label={page.name}
          leaves={page.leaves}
          onPut={() => props.put(page, page.leaves, props.wants(page.leaves))}
        />
      </div>
      <div className={classes['leaves']}>
        {page.leaves.map((leaf) => (
          <LeafBox key={leaf.key} {...props} leaf={leaf} page={page} />
        ))}
      </div>
    </div>
  )
}

function Section({ section, forced, ...props }: Ticking & { section: SectionNode; forced: boolean }) {
  const [open, setOpen] = useState(true)
  const shown = open || forced
  const leaves = section.pages.flatMap((page) => page.leaves)
  const Chevron = shown ? IconChevronDown : IconChevronRight
  return (
    <section className={classes['section']}>
      <div className={classes['sectionName']}>
        <UnstyledButton
          className={classes['fold']}
          aria-expanded={shown}
          aria-label={section.name}
          onClick={() => setOpen(!open)}
        >
          <Chevron size={16} stroke={1.5} />
        </UnstyledButton>
        <AllBox
          {...props}
          label={<b>{section.name}</b>}
          leaves={leaves}
          onPut={() => {
            const on = props.wants(leaves)
            for (const page of section.pages) props.put(page, page.leaves, on)
          }}
        />
      </div>
      {shown ? section.pages.map((page) => <PageRow key={page.name} {...props} page={page} />) : null}
    </section>
  )
}

/** [§6] Section → page → functions, each with three states, a count, and a search over all names. */
export function PermissionTree({ keys, onChange, ...rules }: Props) {
  const [search, setSearch] = useState('')
  const { tree, error, again } = usePermissionTree()
  const found = searchTree(tree, search)
  // A section is updated page by page within one event: each update must see the previous ones.
  let latest = keys
  const allowed = (leaf: Leaf) => whyNotGranted(leaf, rules.forCustomer) === null
  const put: Ticking['put'] = (page, leaves, on) => {
    if (rules.locked) return
    // A search may have filtered out the entry that opens the page.
    const whole = tree.flatMap(({ pages }) => pages).find(({ name }) => name === page.name)
    latest = withLeaves(latest, whole ?? page, leaves, on, allowed)
    onChange(latest)
  }
  const wants: Ticking['wants'] = (leaves) => leaves.some((leaf) => allowed(leaf) && !keys.has(leaf.key))
  const all = tickOf(
    keys,
    tree.flatMap(({ pages }) => pages.flatMap(({ leaves }) => leaves)),
  )
  if (error) return <ErrorBar error={error} onRetry={again} />
  if (tree.length === 0) return <Skeleton h={320} />
  return (
    <div>
      <div className={classes['treeTop']}>
        <TextInput
          aria-label={t('role:search')}
          placeholder={t('role:search')}
          leftSection={<IconSearch size={16} stroke={1.5} />}
          value={search}
          onChange={(event) => setSearch(event.currentTarget.value)}
          style={{ flex: 1 }}
        />
        <Count {...all} />
      </div>
      {found.length === 0 ? (
        <Text c="dimmed" ta="center" py="lg">
          {t('list:noMatch')}
        </Text>
      ) : (
        found.map((section) => (
          <Section
            key={section.name}
            section={section}
            forced={search !== ''}
            keys={keys}
            put={put}
            wants={wants}
            {...rules}
          />
        ))
      )}
    </div>
  )
}
