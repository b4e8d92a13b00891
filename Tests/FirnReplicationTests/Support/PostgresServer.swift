import FirnPlatform
import FirnTesting
import Testing

@testable import FirnReplication

/// A PostgreSQL cluster of the tests in a temporary folder, which ends with them.
///
/// The server refuses to run as root; it then runs as the user `postgres`.
final class PostgresServer: Sendable {
    private let folder: String
    /// Ends the server when this process ends, however it ends: its input is then at its end.
    private let supervisor: Guarded<PipedProcess>

    /// The cluster of this process.
    static let shared = Result { try PostgresServer() }

    private static let script = """
        set -eu
        bin=$(ls -d /usr/lib/postgresql/*/bin | sort -V | tail -n 1)
        folder=$(mktemp -d /tmp/firn-postgres-XXXXXX)
        as=()
        if [ "$(id -u)" = 0 ]; then
            chown postgres "$folder"
            as=(runuser -u postgres --)
        fi
        cd "$folder"
        finish() {
            "${as[@]}" "$bin/pg_ctl" -D "$folder/data" -m immediate stop >/dev/null 2>&1 || true
            rm -rf "$folder"
        }
        trap finish EXIT
        "${as[@]}" "$bin/initdb" -D "$folder/data" -A trust -U firn --no-sync -E UTF8 \\
            --locale=C.UTF-8 >/dev/null
        "${as[@]}" "$bin/pg_ctl" -D "$folder/data" -w -l "$folder/log" -o \\
            "-k $folder -c listen_addresses= -c fsync=off -c max_connections=200" start >/dev/null
        echo "$folder"
        cat >/dev/null
        """

    private init() throws {
        let process = try PipedProcess(
            "/bin/bash", ["-c", PostgresServer.script],
            environment: [
                "PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "LC_ALL": "C.UTF-8",
            ])
        folder = try process.line(seconds: 120)
        supervisor = Guarded(process)
    }

    /// Creates an empty database, and returns its connection string.
    func makeDatabase(_ name: String) throws -> String {
        let admin = try PostgresConnection(address("postgres"))
        try admin.execute("DROP DATABASE IF EXISTS \(SQLText.name(name))")
        try admin.execute("CREATE DATABASE \(SQLText.name(name)) TEMPLATE template0")
        return address(name)
    }

    private func address(_ database: String) -> String {
        "host=\(folder) user=firn dbname=\(database)"
    }
}
