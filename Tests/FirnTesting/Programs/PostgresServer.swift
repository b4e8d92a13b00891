import FirnPlatform

/// A PostgreSQL cluster of the tests in a temporary folder, which ends with them.
///
/// The server refuses to run as root; it then runs as the user `postgres`.
package final class PostgresServer: Sendable {
    /// The folder of the data, and of the socket.
    private let folder: String
    /// Ends the server when this process ends, however it ends: its input is then at its end.
    private let supervisor: Guarded<PipedProcess>

    /// The cluster of this process, which no test may stop.
    package static let shared = Result { try PostgresServer() }

    private static let script = """
        set -u
        bin=$(ls -d /usr/lib/postgresql/*/bin | sort -V | tail -n 1)
        folder=$(mktemp -d /tmp/firn-postgres-XXXXXX)
        as=()
        if [ "$(id -u)" = 0 ]; then
            chown postgres "$folder"
            as=(runuser -u postgres --)
        fi
        cd "$folder"
        control() { "${as[@]}" "$bin/pg_ctl" -D "$folder/data" "$@" </dev/null >/dev/null 2>&1; }
        query() { "$bin/psql" -X -q -h "$folder" -U firn -d postgres -v ON_ERROR_STOP=1 "$@" >&2; }
        finish() {
            control -m immediate stop
            rm -rf "$folder"
        }
        trap finish EXIT
        "${as[@]}" "$bin/initdb" -D "$folder/data" -A trust -U firn --no-sync -E UTF8 \\
            --locale=C.UTF-8 >/dev/null || exit 1
        options="-k $folder -c listen_addresses= -c fsync=off -c max_connections=200"
        start() { control -w -l "$folder/log" -o "$options" start; }
        start || exit 1
        echo "$folder"
        while read -r verb name; do
            case $verb in
                create)
                    query -c "DROP DATABASE IF EXISTS \\"$name\\" WITH (FORCE)" \\
                        -c "CREATE DATABASE \\"$name\\" TEMPLATE template0" ;;
                stop) control -w -m immediate stop ;;
                start) start ;;
            esac
            if [ $? = 0 ]; then echo done; else echo "failed: $verb $name"; fi
        done
        """

    package init() throws {
        let process = try PipedProcess(
            "/bin/bash", ["-c", PostgresServer.script],
            environment: [
                "PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "LC_ALL": "C.UTF-8",
            ])
        folder = try process.line(seconds: 120)
        supervisor = Guarded(process)
    }

    deinit {
        supervisor.withLock { process in
            process.endInput()
            // The end of its output is that of the cluster.
            _ = try? process.line(seconds: 30)
        }
    }

    private func run(_ command: String) throws {
        let answer = try supervisor.withLock { process in
            process.say(command)
            return try process.line(seconds: 120)
        }
        guard answer == "done" else { throw ProgramError("PostgreSQL \(answer)") }
    }

    /// Creates an empty database, and returns its connection string.
    package func makeDatabase(_ name: String) throws -> String {
        try run("create \(name)")
        return "host=\(folder) user=firn dbname=\(name)"
    }

    /// Stops the server as a crash does, without finishing anything.
    package func crash() throws { try run("stop") }

    /// Starts the server again, which recovers from its crash.
    package func restart() throws { try run("start") }
}
