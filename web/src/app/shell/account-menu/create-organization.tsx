import { t } from '@lingui/core/macro';
import { IconBuildingPlus } from '@tabler/icons-react';
import { lazy, Suspense, useState } from 'react';
import menu from '../menu.module.css';

const CreateOrganizationModal = lazy(async () => ({
  default: (await import('./create-organization-modal.js')).CreateOrganizationModal,
}));

/** The menu entry, and the dialog that it opens. */
export function CreateOrganization() {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <button type="button" className={menu['entry']} onClick={() => setIsOpen(true)}>
        <IconBuildingPlus size={18} stroke={1.7} aria-hidden />
        {t`New organization`}
      </button>
      {isOpen && (
        <Suspense>
          <CreateOrganizationModal onClose={() => setIsOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
