import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { request } from './client.js';
import type { CreatePlanRequest, LatestPlanRequest, PlanRequest } from './schema.js';

const KEY = ['plan-request'] as const;

/** The organization's newest request for another plan; null if there is none. */
export function usePlanRequest() {
  return useQuery({
    queryKey: KEY,
    queryFn: async ({ signal }) =>
      (await request<LatestPlanRequest>({ method: 'GET', path: '/plan-requests/latest' }, { signal }))
        .request,
    refetchOnMount: 'always',
  });
}

export function useRequestPlan() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: CreatePlanRequest) =>
      request<PlanRequest>({ method: 'POST', path: '/plan-requests', body }),
    onSuccess: (created) => client.setQueryData(KEY, created),
    onSettled: () => void client.invalidateQueries({ queryKey: KEY }),
  });
}

export function useCancelPlanRequest(id: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => request<undefined>({ method: 'POST', path: `/plan-requests/${id}/cancel`, body: {} }),
    onSettled: () => client.invalidateQueries({ queryKey: KEY }),
  });
}
