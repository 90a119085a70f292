-- A person, or a policy, may change the arguments of a call before it starts. `arguments` stays what the model sent.

alter table cx_tool_call add column amended_arguments jsonb;

comment on column cx_tool_call.amended_arguments is 'What the call ran with where somebody changed the arguments; null where nobody did.';
