{{- define "ies.fullname" -}}
{{- if contains .Chart.Name .Release.Name -}}
{{- .Release.Name | trunc 40 | trimSuffix "-" -}}
{{- else -}}
{{- printf "%s-%s" .Release.Name .Chart.Name | trunc 40 | trimSuffix "-" -}}
{{- end -}}
{{- end -}}

{{- define "ies.selectorLabels" -}}
app.kubernetes.io/name: {{ .root.Chart.Name }}
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .component }}
{{- with .group }}
image-enhancement/worker-group: {{ . }}
{{- end }}
{{- end -}}

{{- define "ies.labels" -}}
{{ include "ies.selectorLabels" . }}
app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .root.Chart.Name .root.Chart.Version }}
{{- end -}}

{{- define "ies.image" -}}
{{- printf "%s/%s:%s" .root.Values.image.repository .name (.root.Values.image.tag | default .root.Chart.AppVersion) -}}
{{- end -}}

{{- define "ies.serviceAccountName" -}}
{{- if .Values.serviceAccount.create -}}
{{- .Values.serviceAccount.name | default (include "ies.fullname" .) -}}
{{- else -}}
{{- .Values.serviceAccount.name | default "default" -}}
{{- end -}}
{{- end -}}

{{- define "ies.podSecurityContext" -}}
runAsNonRoot: true
runAsUser: 1000
runAsGroup: 1000
fsGroup: 1000
fsGroupChangePolicy: OnRootMismatch
seccompProfile:
  type: RuntimeDefault
{{- end -}}

{{- define "ies.containerSecurityContext" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities:
  drop: [ALL]
{{- end -}}

{{- /* One variable from a key of a secret. */ -}}
{{- define "ies.secretVariable" -}}
- name: {{ .name }}
  valueFrom:
    secretKeyRef:
      name: {{ .secret }}
      key: {{ .key }}
{{- end -}}

{{- /* Variables that every role and the migrations have. */ -}}
{{- define "ies.databaseEnv" -}}
{{- $database := .Values.database -}}
{{ include "ies.secretVariable" (dict "name" "DATABASE_URL" "secret" $database.existingSecret "key" $database.urlKey) }}
{{- with $database.directUrlKey }}
{{ include "ies.secretVariable" (dict "name" "DATABASE_DIRECT_URL" "secret" $database.existingSecret "key" .) }}
{{- end }}
{{- end -}}

{{- /* Variables of a role: root, role, drainTimeoutMs, config. Later ones win, so a group may replace any of them. */ -}}
{{- define "ies.env" -}}
{{- $values := .root.Values -}}
{{ include "ies.databaseEnv" .root }}
{{- with $values.redis.existingSecret }}
{{ include "ies.secretVariable" (dict "name" "REDIS_URL" "secret" . "key" $values.redis.urlKey) }}
{{- end }}
{{ include "ies.secretVariable" (dict "name" "URL_SIGNING_KEY" "secret" $values.secrets.existingSecret "key" "URL_SIGNING_KEY") }}
{{- if ne .role "worker" }}
{{ include "ies.secretVariable" (dict "name" "SEALING_KEY" "secret" $values.secrets.existingSecret "key" "SEALING_KEY") }}
{{- end }}
{{- if and $values.mail.from (eq .role "dispatcher") }}
{{ include "ies.secretVariable" (dict "name" "SMTP_URL" "secret" $values.mail.existingSecret "key" $values.mail.urlKey) }}
{{- end }}
{{- if $values.monitoring.enabled }}
{{ include "ies.secretVariable" (dict "name" "METRICS_TOKEN" "secret" $values.secrets.existingSecret "key" "METRICS_TOKEN") }}
{{- end }}
{{- if and $values.database.readUrlKey (eq .role "api") }}
{{ include "ies.secretVariable" (dict "name" "DATABASE_READ_URL" "secret" $values.database.existingSecret "key" $values.database.readUrlKey) }}
{{- end }}
{{- if and $values.oidc.issuer $values.oidc.existingSecret (eq .role "api") }}
{{ include "ies.secretVariable" (dict "name" "OIDC_CLIENT_SECRET" "secret" $values.oidc.existingSecret "key" $values.oidc.clientSecretKey) }}
{{- end }}
{{- with $values.objectStore }}
{{- if and .url .existingSecret }}
{{ include "ies.secretVariable" (dict "name" "AWS_ACCESS_KEY_ID" "secret" .existingSecret "key" "AWS_ACCESS_KEY_ID") }}
{{ include "ies.secretVariable" (dict "name" "AWS_SECRET_ACCESS_KEY" "secret" .existingSecret "key" "AWS_SECRET_ACCESS_KEY") }}
{{- end }}
{{- end }}
{{- $plain := dict "DATA_DIR" "/data" "PUBLIC_URL" $values.publicUrl "DRAIN_TIMEOUT_MS" (.drainTimeoutMs | int64) "JOB_UNSERVED_MS" ($values.jobUnservedMs | int64) "MALLOC_ARENA_MAX" 1 -}}
{{- if $values.objectStore.url -}}
{{- $_ := set $plain "OBJECT_STORE_URL" $values.objectStore.url -}}
{{- $_ := set $plain "AWS_REGION" $values.objectStore.region -}}
{{- if $values.objectStore.endpoint }}{{ $_ := set $plain "S3_ENDPOINT" $values.objectStore.endpoint }}{{ end -}}
{{- if $values.objectStore.forcePathStyle }}{{ $_ := set $plain "S3_FORCE_PATH_STYLE" "true" }}{{ end -}}
{{- end -}}
{{- if $values.models.existingClaim }}{{ $_ := set $plain "MODELS_DIR" "/models" }}{{ end -}}
{{- with $values.mail.from }}{{ $_ := set $plain "SMTP_FROM" . }}{{ end -}}
{{- if and $values.oidc.issuer (eq .role "api") }}{{ $_ := set $plain "OIDC_ISSUER" $values.oidc.issuer }}{{ $_ := set $plain "OIDC_CLIENT_ID" $values.oidc.clientId }}{{ end -}}
{{- with $values.tracing.otlpEndpoint }}{{ $_ := set $plain "OTEL_EXPORTER_OTLP_ENDPOINT" . }}{{ end -}}
{{- $plain = mergeOverwrite $plain (deepCopy (.variables | default dict)) (deepCopy $values.config) (deepCopy (.config | default dict)) -}}
{{- range $name := keys $plain | sortAlpha }}
- name: {{ $name }}
  value: {{ get $plain $name | toString | quote }}
{{- end }}
{{- end -}}

{{- define "ies.volumeMounts" -}}
- { name: data, mountPath: /data }
- { name: tmp, mountPath: /tmp }
{{- if .Values.models.existingClaim }}
- { name: models, mountPath: /models, readOnly: true }
{{- end }}
{{- if .Values.database.caConfigMap }}
- { name: database-ca, mountPath: /etc/postgresql, readOnly: true }
{{- end }}
{{- end -}}

{{- /* Volumes of a role: root, dataSize. */ -}}
{{- define "ies.volumes" -}}
- name: data
{{- if .root.Values.objectStore.url }}
  emptyDir: { sizeLimit: {{ .dataSize }} }
{{- else }}
  persistentVolumeClaim: { claimName: {{ .root.Values.persistence.existingClaim }} }
{{- end }}
- name: tmp
  emptyDir: { sizeLimit: 2Gi }
{{- with .root.Values.models.existingClaim }}
- name: models
  persistentVolumeClaim: { claimName: {{ . }}, readOnly: true }
{{- end }}
{{- with .root.Values.database.caConfigMap }}
- name: database-ca
  configMap: { name: {{ . }} }
{{- end }}
{{- end -}}

{{- /* The scratch volume of an api or a worker: scratchSize, scratchStorageClass. */ -}}
{{- define "ies.scratchVolume" -}}
- name: scratch
{{- if .scratchStorageClass }}
  ephemeral:
    volumeClaimTemplate:
      spec:
        accessModes: [ReadWriteOnce]
        storageClassName: {{ .scratchStorageClass }}
        resources: { requests: { storage: {{ .scratchSize }} } }
{{- else }}
  emptyDir: { sizeLimit: {{ .scratchSize }} }
{{- end }}
{{- end -}}

{{- /* Pods of one component on different nodes and zones where possible. */ -}}
{{- define "ies.topologySpread" -}}
{{- range $key := list "topology.kubernetes.io/zone" "kubernetes.io/hostname" }}
- maxSkew: 1
  topologyKey: {{ $key }}
  whenUnsatisfiable: ScheduleAnyway
  labelSelector:
    matchLabels:
      {{- include "ies.selectorLabels" $ | nindent 6 }}
{{- end }}
{{- end -}}

{{- /* Seconds until Kubernetes kills a pod: the delay before the drain, the drain, and five seconds to exit. */ -}}
{{- define "ies.graceSeconds" -}}
{{- div (add (.delayMs | default 0 | int64) (.drainTimeoutMs | int64) 5999) 1000 -}}
{{- end -}}

{{- /* A worker group with the defaults filled in, as JSON. */ -}}
{{- define "ies.workerGroup" -}}
{{- mergeOverwrite (deepCopy .root.Values.workerDefaults) (deepCopy (.group | default dict)) | toJson -}}
{{- end -}}

{{- /* The worker group that queued test jobs start. Empty if a group always has a worker, or if none scales. */ -}}
{{- define "ies.testJobsGroup" -}}
{{- $root := . -}}
{{- $hasWorker := false -}}
{{- $scaled := list -}}
{{- $scaledOnCpu := list -}}
{{- range $name, $overrides := .Values.workers -}}
{{- $group := include "ies.workerGroup" (dict "root" $root "group" $overrides) | fromJson -}}
{{- if $group.autoscaling.enabled -}}
{{- $scaled = append $scaled $name -}}
{{- if not $group.acceleratorResource }}{{ $scaledOnCpu = append $scaledOnCpu $name }}{{ end -}}
{{- if gt ($group.autoscaling.minReplicas | int64) 0 }}{{ $hasWorker = true }}{{ end -}}
{{- else if gt ($group.replicas | int64) 0 -}}
{{- $hasWorker = true -}}
{{- end -}}
{{- end -}}
{{- if .Values.testJobsGroup -}}
{{- if not (has .Values.testJobsGroup $scaled) }}{{ fail "testJobsGroup must be a worker group with autoscaling.enabled" }}{{ end -}}
{{- .Values.testJobsGroup -}}
{{- else if and $scaled (not $hasWorker) -}}
{{- concat $scaledOnCpu $scaled | first -}}
{{- end -}}
{{- end -}}

{{- define "ies.validate" -}}
{{- if not .Values.publicUrl }}{{ fail "publicUrl is required, for example https://images.example.com" }}{{ end -}}
{{- if not .Values.secrets.existingSecret }}{{ fail "secrets.existingSecret is required: a secret with URL_SIGNING_KEY and SEALING_KEY" }}{{ end -}}
{{- if not .Values.database.existingSecret }}{{ fail "database.existingSecret is required: a secret with DATABASE_URL" }}{{ end -}}
{{- if not (or .Values.objectStore.url .Values.persistence.existingClaim) }}{{ fail "objectStore.url or persistence.existingClaim is required" }}{{ end -}}
{{- if and .Values.mail.from (not .Values.mail.existingSecret) }}{{ fail "mail.existingSecret is required when mail.from is set: a secret with SMTP_URL" }}{{ end -}}
{{- if and .Values.oidc.issuer (not .Values.oidc.clientId) }}{{ fail "oidc.clientId is required when oidc.issuer is set" }}{{ end -}}
{{- $root := . -}}
{{- range $name, $overrides := .Values.workers -}}
{{- $group := include "ies.workerGroup" (dict "root" $root "group" $overrides) | fromJson -}}
{{- if and $group.autoscaling.enabled (not $root.Values.monitoring.enabled) }}{{ fail (printf "monitoring.enabled is required when workers.%s.autoscaling.enabled is true: without metrics, no pod starts for a job" $name) }}{{ end -}}
{{- end -}}
{{- if and .Values.ingress.enabled (not .Values.ingress.host) }}{{ fail "ingress.host is required when ingress.enabled is true" }}{{ end -}}
{{- end -}}
