import { t } from '@lingui/core/macro';
import { lazy, Suspense, useCallback, useState } from 'react';
import { useSearchParams } from 'react-router';
import { useOperations } from '../../api/models/operations.js';
import { useKeptFocus } from '../../lib/focus/use-kept-focus.js';
import { PageHeader } from '../../components/pages/page-header.js';
import { useChosenPhotos } from './chosen-photos.js';
import { FirstVisit } from './first-visit.js';
import { ManyPhotos } from './many/many-photos.js';
import type { GivenPhotos } from '../../components/photo/photo-file.js';
import { orderOf } from './recipe/recipe.js';
import { RecipeEditor } from './recipe/recipe-editor.js';
import { useRecipe } from './recipe/use-recipe.js';
import { SinglePhoto } from './single/single-photo.js';

// Below the fold, so it must not delay the main content.
const SameCall = lazy(async () => ({ default: (await import('./same-call.js')).SameCall }));

/** The photos, the recipe, and the result. */
export function PlaygroundPage() {
  const operations = useOperations();
  const editing = useRecipe();
  const [parameters] = useSearchParams();
  const chosen = useChosenPhotos();
  const [many, setMany] = useState<GivenPhotos | null>(() => {
    const kept = parameters.has('photo') || parameters.has('result') ? null : chosen.read();
    return kept?.kind === 'many' ? kept.photos : null;
  });
  const [fileName, setFileName] = useState<string | null>(null);
  useKeptFocus();
  const leave = useCallback(() => {
    chosen.forget();
    setMany(null);
  }, [chosen]);
  const editor = <RecipeEditor operations={operations} editing={editing} />;
  return (
    <>
      <PageHeader title={t`Playground`} description={t`Try any operation on your own photos.`} />
      <FirstVisit />
      {many === null ? (
        <SinglePhoto editing={editing} editor={editor} onMany={setMany} onName={setFileName} />
      ) : (
        <ManyPhotos
          recipe={editing.recipe}
          editor={editor}
          photos={many}
          onPhotos={setMany}
          onLeave={leave}
        />
      )}
      {many === null && (
        <Suspense>
          <SameCall
            input={{
              baseUrl: window.location.origin,
              fileName: fileName ?? 'photo.jpg',
              order: orderOf(editing.recipe),
            }}
          />
        </Suspense>
      )}
    </>
  );
}
