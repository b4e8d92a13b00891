import FirnPlatform

/// A PostgreSQL cluster of the tests in a temporary folder, which ends with them.
///
/// The server refuses to run as root; it then runs as the user `postgres`.
package final class PostgresServer: Sendable {
    /// The folder of the data, and of the socket.
    private let folder: String
    /// Ends the server when this process ends, however it ends: its input is then at its end.
    private let supervisor: Guarded<PipedProcess>
    /// The port, which is also part of the name of the socket.
    private let port = Guarded(5432)

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
            if [ -d "$folder/second" ]; then standby -m immediate stop; fi
            rm -rf "$folder"
        }
        trap finish EXIT
        "${as[@]}" "$bin/initdb" -D "$folder/data" -A trust -U firn --no-sync -E UTF8 \\
            --locale=C.UTF-8 >/dev/null || exit 1
        # A certificate of the authority in ca.crt: its host, and the days for which it is valid.
        certify() {
            openssl req -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -subj "/CN=$1" \\
                -keyout "$folder/server.key.new" -out "$folder/server.csr" &&
                printf 'subjectAltName=DNS:%s\\n' "$1" >"$folder/extensions" &&
                openssl x509 -req -in "$folder/server.csr" -CA "$folder/ca.crt" \\
                    -CAkey "$folder/ca.key" -CAcreateserial -days "$2" \\
                    -extfile "$folder/extensions" -out "$folder/server.crt" &&
                chmod 600 "$folder/server.key.new" &&
                mv "$folder/server.key.new" "$folder/server.key" || return 1
            if [ "$(id -u)" = 0 ]; then chown postgres "$folder"/server.*; fi
            # A reload would take effect some time later.
            control -w -m fast stop && start
        } 2>/dev/null
        # From now on, also on a port of the loopback, with encryption and passwords.
        secure() {
            openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 30 \\
                -subj "/CN=The authority of the tests" -keyout "$folder/ca.key" \\
                -out "$folder/ca.crt" 2>/dev/null || return 1
            certify localhost 30
            printf '%s\\n' "ssl = on" "ssl_cert_file = '$folder/server.crt'" \\
                "ssl_key_file = '$folder/server.key'" "password_encryption = 'scram-sha-256'" \\
                >>"$folder/data/postgresql.conf"
            printf '%s\\n' "local all all trust" "hostssl all all 127.0.0.1/32 scram-sha-256" \\
                >"$folder/data/pg_hba.conf"
            options="${options/listen_addresses=/listen_addresses=127.0.0.1} -p $1"
            export PGPORT="$1"
            control -w stop
            start
        }
        # From now on, also on a port of an address, without encryption and passwords.
        expose() {
            printf '%s\\n' "local all all trust" "host all all $1/24 trust" \\
                >"$folder/data/pg_hba.conf"
            options="${options/listen_addresses=/listen_addresses=$1} -p $2"
            export PGPORT="$2"
            control -w stop
            start
        }
        # A user with a password, which comes from the standard input of psql.
        user() {
            printf "CREATE ROLE %s LOGIN PASSWORD '%s';\\n" "$1" "$2" |
                query -f -
        }
        # A copy of the cluster that follows it, with a socket in a folder of its own.
        follow() {
            "${as[@]}" mkdir "$folder/second" &&
                "${as[@]}" "$bin/pg_basebackup" -D "$folder/second/data" -R -c fast --no-sync \\
                    -d "host=$folder user=firn application_name=second" &&
                standby start
        }
        standby() {
            "${as[@]}" "$bin/pg_ctl" -w -D "$folder/second/data" -l "$folder/second/log" \\
                -o "${options/-k $folder/-k $folder/second}" "$@" </dev/null >/dev/null 2>&1
        }
        # What a backup of the file system, which is not told to the server, brings back.
        keep() { control -w stop && cp -a "$folder/data" "$folder/kept" && start; }
        rewind() {
            control -w -m immediate stop && rm -rf "$folder/data" &&
                cp -a "$folder/kept" "$folder/data" && start
        }
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
                secure) secure $name ;;
                expose) expose $name ;;
                certify) certify $name ;;
                user) user $name ;;
                follow) follow ;;
                part) standby -m immediate stop ;;
                promote) standby status || standby start; standby promote ;;
                keep) keep ;;
                rewind) rewind ;;
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

    /// Listens on the loopback as well, with encryption and passwords.
    ///
    /// - Returns: The parameters of a connection to the loopback that checks the certificate, and
    ///   the certificate of the authority.
    package func secure() throws -> (host: String, authority: String) {
        let chosen = PostgresServer.randomPort()
        try run("secure \(chosen)")
        port.withLock { $0 = chosen }
        return (
            "host=localhost hostaddr=127.0.0.1 port=\(chosen) sslmode=verify-full "
                + "sslrootcert=\(folder)/ca.crt", "\(folder)/ca.crt"
        )
    }

    /// Listens on an address of a test network as well.
    ///
    /// - Returns: The parameters of a connection to it.
    package func expose(on address: String) throws -> String {
        let chosen = PostgresServer.randomPort()
        try run("expose \(address) \(chosen)")
        port.withLock { $0 = chosen }
        return "host=\(address) port=\(chosen) user=firn"
    }

    private static func randomPort() -> Int {
        20_000 + Int(SystemEntropy().random64() % 10_000)
    }

    /// Gives the server another certificate.
    ///
    /// - Parameter days: The days for which it is valid; a negative number for one that has expired.
    package func certify(_ host: String, days: Int) throws { try run("certify \(host) \(days)") }

    /// Creates a user with a password of letters.
    package func makeUser(_ name: String, password: String) throws {
        try run("user \(name) \(password)")
    }

    /// Creates an empty database, and returns its connection string.
    package func makeDatabase(_ name: String) throws -> String {
        try run("create \(name)")
        let port = port.withLock { $0 }
        return "host=\(folder) user=firn dbname=\(name)" + (port == 5432 ? "" : " port=\(port)")
    }

    /// Stops the server as a crash does, without finishing anything.
    package func crash() throws { try run("stop") }

    /// Starts the server again, which recovers from its crash.
    package func restart() throws { try run("start") }

    // MARK: Standbys and backups

    /// Starts a standby, which follows the server from now on.
    ///
    /// - Returns: The folder of its socket.
    package func follow() throws -> String {
        try run("follow")
        return folder + "/second"
    }

    /// Stops the standby, which then lacks what the server does.
    package func stopStandby() throws { try run("part") }

    /// Makes the standby a server of its own.
    package func promoteStandby() throws { try run("promote") }

    /// Copies the files of the server.
    package func keepCopy() throws { try run("keep") }

    /// Puts the copied files in the place of the server's.
    package func restoreCopy() throws { try run("rewind") }
}
