import FirnTesting

/// sqlite3 in a process of its own, through its module for Python, with the same objects as rows.
///
/// A link is followed by a look-up, as in a program that follows one link at a time.
final class ObjectPeer {
    /// After this time the process counts as hung.
    private static let timeoutSeconds: Double = 600

    private let process: PipedProcess

    init(python: String, folder: String) throws {
        process = try PipedProcess(python, ["-c", ObjectPeer.script, folder])
    }

    /// - Returns: nanoseconds for each repetition.
    func samples(_ work: ObjectWork, count: Int) throws -> [UInt64] {
        process.say("\(work.rawValue) \(count)")
        let line = try process.line(seconds: ObjectPeer.timeoutSeconds)
        let words = line.split(separator: " ")
        let samples = words.compactMap { UInt64($0) }
        guard samples.count == words.count else { throw ProgramError("sqlite3 answered: \(line)") }
        return samples
    }

    /// Asks the process to close and remove its database.
    func close() throws {
        let result = process.finish(seconds: ObjectPeer.timeoutSeconds)
        guard result.status == 0 else { throw ProgramError("sqlite3 failed: \(result)") }
    }

    private static let script = """
        import os, sqlite3, sys, time
        now = time.perf_counter_ns
        folder = sys.argv[1]

        def citizen(number):
            return (number, f"name number {number & 1023}", number % 90, number / 4,
                    number % 3 == 0, number * 3600, f"name number {number & 15}")

        def opened(name):
            connection = sqlite3.connect(os.path.join(folder, name), isolation_level=None)
            connection.execute("PRAGMA journal_mode=WAL")
            connection.execute("PRAGMA synchronous=FULL")
            connection.execute(
                "CREATE TABLE citizen(id INTEGER PRIMARY KEY, name TEXT, age INTEGER,"
                " score REAL, flag INTEGER, moment INTEGER, city TEXT)")
            connection.execute("CREATE TABLE household(head INTEGER)")
            return connection

        def fill(connection, rows):
            connection.execute("BEGIN")
            connection.executemany("INSERT INTO citizen VALUES(?,?,?,?,?,?,?)", rows)
            connection.execute("COMMIT")

        def remove(name):
            for end in ["", "-wal", "-shm"]:
                path = os.path.join(folder, name + end)
                if os.path.exists(path): os.remove(path)

        def add():
            rows = [citizen(number) for number in range(100_000)]
            start = now()
            connection = opened("inserted.sqlite3")
            fill(connection, rows)
            time = now() - start
            connection.close()
            remove("inserted.sqlite3")
            return time

        def timed(body):
            start = now()
            body()
            return now() - start

        def iterate():
            total = 0
            for _, age in main.execute("SELECT id, age FROM citizen"): total += age

        def follow():
            total = 0
            for head, in households:
                total += main.execute("SELECT age FROM citizen WHERE id = ?", (head,)).fetchone()[0]

        def change():
            for key in range(100):
                main.execute("UPDATE citizen SET age = age + 1 WHERE id = ?", (key,))

        filtered = "SELECT count(*) FROM citizen WHERE age > 60 AND flag"
        works = {
            "add": add,
            "iterate": lambda: timed(iterate),
            "filter": lambda: timed(lambda: main.execute(filtered).fetchone()),
            "follow": lambda: timed(follow),
            "set": lambda: timed(change),
        }
        remove("objects.sqlite3")
        remove("inserted.sqlite3")
        main = opened("objects.sqlite3")
        fill(main, (citizen(number) for number in range(1_000_000)))
        main.execute("BEGIN")
        main.executemany(
            "INSERT INTO household VALUES(?)",
            ((number * 7919 % 1_000_000,) for number in range(100_000)))
        main.execute("COMMIT")
        households = main.execute("SELECT head FROM household").fetchall()
        for line in sys.stdin:
            work, count = line.split()
            print(*[works[work]() for _ in range(int(count))], flush=True)
        main.close()
        remove("objects.sqlite3")
        """
}
