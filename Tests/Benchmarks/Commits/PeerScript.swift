/// A script that drives other databases from a process of its own, through their modules for
/// Python.
///
/// Statements are prepared: by the module's cache for sqlite3, by PREPARE for DuckDB. Only the call
/// of a statement is timed.
enum PeerScript {
    /// The arguments of the script: the name of the class in it, and the database.
    static func arguments(_ peer: String, _ database: String) -> [String] {
        ["-c", text, peer, database]
    }

    private static let text = """
        import os, random, sys, threading, time
        now = time.perf_counter_ns

        def person(number):
            return (number, f"name number {number & 1023}", number % 90, number / 4,
                    number % 3 == 0, number * 3600, f"city {number & 15}")

        def times(count, body):
            for _ in range(count):
                start = now()
                body()
                yield now() - start

        class Database:
            people = \(CommitWork.populationCount)

            def __init__(self, path):
                self.path = path
                self.main = self.connect(path)
                if not self.has_people(): self.populate(self.main)
                self.statements = self.prepare(self.main)

            def key(self): return random.randrange(self.people)
            def create(self, count): return times(count, self.statements.create)
            def update(self, count): return times(count, self.statements.update)
            def processes(self, count): return self.create(count)
            def freeze(self, count): return []

            def lookup(self, count):
                for _ in range(count):
                    start = now()
                    for _ in range(\(CommitWork.shortWorkCount)): self.statements.lookup()
                    yield (now() - start) // \(CommitWork.shortWorkCount)

            def threads(self, count):
                gate = threading.Barrier(\(CommitWork.threadCount) + 1)
                def work():
                    statements = self.prepare(self.connection())
                    gate.wait()
                    for _ in range(count): statements.create()
                threads = [threading.Thread(target=work) for _ in range(\(CommitWork.threadCount))]
                for thread in threads: thread.start()
                gate.wait()
                start = now()
                for thread in threads: thread.join()
                return [(now() - start) // (count * len(threads))]

            def checkpoint(self, count):
                for _ in range(count):
                    self.main.execute("BEGIN")
                    for _ in range(\(CommitWork.backlogCount)): self.statements.update()
                    self.main.execute("COMMIT")
                    ended = []
                    def work(connection):
                        self.fold(connection)
                        ended.append(True)
                    thread = threading.Thread(target=work, args=[self.connection()])
                    thread.start()
                    while not ended: yield from times(1, self.statements.update)
                    thread.join()

            def bulk(self, count):
                for _ in range(count):
                    path = self.path + "-bulk"
                    connection = self.connect(path)
                    rows = [person(number) for number in range(\(CommitWork.bulkCount))]
                    start = now()
                    self.insert(connection, rows)
                    yield (now() - start) // \(CommitWork.bulkCount)
                    connection.close()
                    for name in [path, path + "-wal", path + "-shm", path + ".wal"]:
                        if os.path.exists(name): os.remove(name)

        class Statements: pass

        class Sqlite(Database):
            def connect(self, path):
                import sqlite3
                connection = sqlite3.connect(
                    path, isolation_level=None, timeout=60, check_same_thread=False)
                connection.execute("PRAGMA journal_mode=WAL")
                connection.execute("PRAGMA synchronous=FULL")
                connection.execute(
                    "CREATE TABLE IF NOT EXISTS person(id INTEGER PRIMARY KEY, name TEXT,"
                    " age INTEGER, score REAL, flag INTEGER, moment INTEGER, city TEXT)")
                return connection

            def connection(self): return self.connect(self.path)
            def has_people(self):
                return self.main.execute("SELECT count(*) FROM person").fetchone()[0] > 0
            def populate(self, connection):
                self.insert(connection, (person(number) for number in range(self.people)))
            def insert(self, connection, rows):
                connection.execute("BEGIN")
                connection.executemany("INSERT INTO person VALUES(?,?,?,?,?,?,?)", rows)
                connection.execute("COMMIT")
            def fold(self, connection): connection.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchall()

            def prepare(self, connection):
                statements = Statements()
                statements.create = lambda: connection.execute(
                    "INSERT INTO person VALUES(NULL,?,?,?,?,?,?)", person(self.key())[1:])
                statements.update = lambda: connection.execute(
                    "UPDATE person SET age = ? WHERE id = ?", (self.key() % 90, self.key()))
                statements.lookup = lambda: connection.execute(
                    "SELECT * FROM person WHERE id = ?", (self.key(),)).fetchone()
                return statements

        class DuckDB(Database):
            def connect(self, path):
                import duckdb
                connection = duckdb.connect(path)
                connection.execute("CREATE SEQUENCE IF NOT EXISTS ids START 1000000")
                connection.execute(
                    "CREATE TABLE IF NOT EXISTS person(id BIGINT PRIMARY KEY DEFAULT nextval('ids'),"
                    " name VARCHAR, age BIGINT, score DOUBLE, flag BOOLEAN, moment TIMESTAMP,"
                    " city VARCHAR)")
                return connection

            def connection(self): return self.main.cursor()
            def has_people(self):
                return self.main.execute("SELECT count(*) FROM person").fetchone()[0] > 0
            def populate(self, connection): self.insert(connection, None)

            # Rows that come one by one from Python would take half a minute.
            def insert(self, connection, rows):
                connection.execute(
                    "INSERT INTO person SELECT n, 'name number ' || (n & 1023), n % 90, n / 4,"
                    " n % 3 = 0, make_timestamp(n * 3600000000), 'city ' || (n & 15)"
                    " FROM range(\(CommitWork.bulkCount)) AS numbers(n)")

            # Fails during a commit, and is then repeated.
            def fold(self, connection):
                import duckdb
                for _ in range(1000):
                    try: return connection.execute("CHECKPOINT")
                    except duckdb.TransactionException: pass

            def prepare(self, connection):
                statements = Statements()
                connection.execute(
                    "PREPARE creation AS INSERT INTO person VALUES"
                    " (DEFAULT, $1, $2, $3, $4, make_timestamp($5), $6)")
                connection.execute("PREPARE change AS UPDATE person SET age = $1 WHERE id = $2")
                connection.execute("PREPARE lookup AS SELECT * FROM person WHERE id = $1")
                def create():
                    _, name, age, score, flag, moment, city = person(self.key())
                    connection.execute(
                        f"EXECUTE creation('{name}', {age}, {score}, {flag}, {moment}, '{city}')")
                statements.create = create
                statements.update = lambda: connection.execute(
                    f"EXECUTE change({self.key() % 90}, {self.key()})")
                statements.lookup = lambda: connection.execute(
                    f"EXECUTE lookup({self.key()})").fetchone()
                return statements

        database = {"sqlite3": Sqlite, "duckdb": DuckDB}[sys.argv[1]](sys.argv[2])
        for line in sys.stdin:
            work, count = line.split()
            print(*getattr(database, work)(int(count)), flush=True)
        """
}
