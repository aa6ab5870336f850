import { eventually } from '@holdfast/testing/eventually';
import type { TestDatabase } from '@holdfast/testing/postgres';
import type { MessageLoss, MessageToLose } from '@holdfast/testing/rabbitmq';

const prepare = `
  create table if not exists broker.messages_to_lose (queue text, type text, about text);

  create or replace function broker.lose_message() returns trigger language plpgsql security definer as $$
  begin
    delete from broker.messages_to_lose as wanted
    where wanted.queue = new.queue
      and wanted.type = new.type
      and position(wanted.about in new.body) > 0;
    return case when found then null else new end;
  end $$;

  create or replace trigger lose_message before insert on broker.deliveries
    for each row execute function broker.lose_message();`;

const insertWanted = `
  insert into broker.messages_to_lose (queue, type, about)
  select *
  from unnest($1::text[], $2::text[], $3::text[])`;

/** The in-process broker loses messages: the insert of their rows succeeds without effect, each once. */
export async function loseInserted(database: TestDatabase, messages: readonly MessageToLose[]): Promise<MessageLoss> {
  await database.asAdmin(prepare);
  const columns = [messages.map(({ service }) => service), messages.map(({ type }) => type), messages.map(({ about }) => about)];
  await database.asAdmin(insertWanted, columns);
  const areAllLost = async (): Promise<void> => {
    expect(await database.asAdmin('select queue, type from broker.messages_to_lose')).toEqual([]);
  };
  const lost = eventually(areAllLost);
  lost.catch(() => undefined); // it may reject before the test awaits it
  return {
    lost,
    close: async () => {
      await database.asAdmin('delete from broker.messages_to_lose');
    },
  };
}
