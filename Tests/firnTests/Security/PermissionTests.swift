import FirnPlatform
import FirnTesting
import Testing

/// The real binary with a permission mask, and in folders with restricted permissions.
@Suite("Permissions of new files")
struct PermissionTests {
    private let folder = TemporaryFolder()
    private let shell = CommandRunner("/bin/sh")
    private let firn: String

    init() throws { firn = try builtExecutable(named: "firn") }

    private func script(_ text: String) throws -> CommandResult {
        try shell.run(["-c", "set -e; firn=$0\n" + text, firn], input: [], in: folder.path)
    }

    @Test(
        "A new database is private to its owner, whatever the umask, which outputs follow",
        .tags(.security),
        arguments: [("000", "666"), ("022", "644"), ("077", "600")])
    func modes(mask: String, output: String) throws {
        let run = try script(
            """
            umask \(mask)
            printf 'id,name\\n1,a\\n2,b\\n' >people.csv
            "$firn" create a.firn --from people.csv --class P --key id -q
            "$firn" create b.firn --from - --class P -q <people.csv
            "$firn" export a.firn out.csv -q
            "$firn" query a.firn P -o out.json
            "$firn" freeze a.firn -o copy.firn -q
            "$firn" compact a.firn -o compact.firn -q
            "$firn" observe a.firn P --cursor-file cursor --timeout 1ms >/dev/null || true
            printf '{"id":"x"}\\n' | "$firn" write a.firn - -c P --on-error save=rejects -q || true
            mkdir split
            "$firn" export a.firn --split split -q
            stat -c '%a %n' *.firn out.* cursor rejects split/*
            """)
        #expect(run.status == 0, "\(run)")
        let lines = run.outputText.split(separator: "\n")
        #expect(lines.count == 10, "\(run)")
        for line in lines {
            let isPrivate = line.hasSuffix(".firn") || line.hasSuffix(" cursor")
            #expect(line.hasPrefix(isPrivate ? "600 " : output + " "), "\(line)")
        }
    }

    @Test(
        "An output that replaces a file is readable for the same users",
        .tags(.security))
    func replaced() throws {
        let run = try script(
            """
            umask 022
            printf 'id\\n1\\n' | "$firn" create a.firn --from - --class P -q
            for mode in 600 640 666; do
                : >out.csv
                chmod $mode out.csv
                "$firn" query a.firn P -o out.csv
                stat -c '%a' out.csv
                "$firn" export a.firn out.csv --force -q
                stat -c '%a' out.csv
            done
            """)
        #expect(run.outputText == "600\n600\n640\n640\n666\n666\n", "\(run)")
    }

    @Test(
        "The auxiliary files of a database have its permissions", .tags(.security),
        arguments: [
            ("600", "600"), ("640", "640"), ("644", "644"), ("660", "660"), ("666", "666"),
            ("620", "600"), ("664", "664"),
        ])
    func besides(permissions: String, expected: String) throws {
        let run = try script(
            """
            umask 022
            printf 'id\\n1\\n' >people.csv
            "$firn" create a.firn --from people.csv --class P --key id -q
            chmod \(permissions) a.firn
            mkfifo feed
            "$firn" write a.firn feed -c P --batch 1 --input ndjson >reports &
            exec 3>feed
            printf '{"id":2}\\n{"id":3}\\n' >&3
            while [ "$(wc -l <reports)" -lt 2 ]; do :; done
            stat -c '%a %n' a.firn-*
            exec 3>&-
            wait
            """)
        #expect(run.status == 0, "\(run)")
        for line in run.outputText.split(separator: "\n") {
            #expect(line.hasPrefix("\(expected) "), "\(line)")
        }
        #expect(run.outputText.contains("a.firn-log0"))
        #expect(run.outputText.contains("a.firn-shm"))
    }

    /// The superuser wrote to the database of another user and was killed: the log belonged to the
    /// superuser, and from then on the owner could neither read nor write.
    @Test(
        "The owner can use a database after the superuser wrote to it and its process died",
        .tags(.security))
    func owner() throws {
        let run = try script(
            """
            [ "$(id -u)" = 0 ] || exit 200
            chmod 755 .
            printf 'id\\n1\\n' >people.csv
            "$firn" create a.firn --from people.csv --class P --key id -q
            chown 65534:65534 . a.firn
            mkfifo feed
            "$firn" write a.firn feed -c P --batch 1 --input ndjson >reports &
            writer=$!
            exec 3>feed
            printf '{"id":2}\\n{"id":3}\\n' >&3
            while [ "$(wc -l <reports)" -lt 2 ]; do :; done
            kill -9 "$writer"
            stat -c '%u:%g %a' a.firn-log0 a.firn-shm
            cp "$firn" ./program
            chmod 755 program
            setpriv --reuid 65534 --regid 65534 --clear-groups ./program query a.firn P --count -r
            setpriv --reuid 65534 --regid 65534 --clear-groups ./program \\
              write a.firn -x 'P id == 2 | delete' -q
            setpriv --reuid 65534 --regid 65534 --clear-groups ./program query a.firn P --count -r
            """)
        // Not every system lets a process switch users.
        if run.status == 200 || run.errorText.contains("setpriv") { return }
        #expect(run.outputText == "65534:65534 600\n65534:65534 600\n3\n2\n", "\(run)")
    }

    /// The files beside a database were accessible only to users with write access. A user with
    /// read access only was refused with 77 while a log was in use, and after a crash until the
    /// next write. The last database is one whose writer is not in its group: the files beside it
    /// have another group.
    @Test(
        "Users with read access can read while others write, and after a crash",
        .tags(.security),
        arguments: [("644", "65534:65534"), ("640", "65534:0"), ("644", "65533:65532")])
    func readers(permissions: String, reader: String) throws {
        let user = reader.split(separator: ":")
        let run = try script(
            """
            [ "$(id -u)" = 0 ] || exit 200
            chmod 755 .
            cp "$firn" ./program
            chmod 755 program
            printf 'id\\n1\\n' >people.csv
            "$firn" create a.firn --from people.csv --class P --key id -q
            chmod \(permissions) a.firn
            [ \(user[1]) != 65532 ] || chgrp 65531 a.firn
            reader="setpriv --reuid \(user[0]) --regid \(user[1]) --clear-groups ./program"
            $reader query a.firn P --count -r
            mkfifo feed
            setpriv --reuid 0 --regid 0 --clear-groups --bounding-set=-chown --inh-caps=-chown \\
              "$firn" write a.firn feed -c P --batch 1 --input ndjson >reports &
            writer=$!
            exec 3>feed
            printf '{"id":2}\\n{"id":3}\\n' >&3
            while [ "$(wc -l <reports)" -lt 2 ]; do :; done
            $reader query a.firn P --count -r
            $reader observe a.firn P --initial count --count 1 --timeout 20s | cat >events &
            observer=$!
            while ! grep -q initial events; do :; done
            printf '{"id":4}\\n' >&3
            wait "$observer"
            grep -c '"type":"update"' events
            kill -9 "$writer"
            $reader query a.firn P --count -r
            $reader check a.firn -q
            $reader query a.firn P --count -r
            ls a.firn-log0
            """)
        if run.status == 200 || run.errorText.contains("setpriv") { return }
        #expect(run.outputText == "1\n3\n1\n4\n4\na.firn-log0\n", "\(run)")
    }

    @Test("A name that starts with a minus is accepted after --", .tags(.security))
    func dashes() throws {
        let run = try script(
            """
            printf 'id\\n1\\n' | "$firn" create --from - --class P -q -- -rf
            "$firn" query -f csv -- -rf P
            "$firn" query ./-rf P -f csv
            FIRN_FILE=-rf "$firn" query -c P -f csv
            ls
            """)
        #expect(run.outputText == "id\n1\nid\n1\nid\n1\n-rf\n", "\(run)")
    }

    @Test(
        "Nothing in the current folder is read unless the command line names it",
        .tags(.security)
    )
    func environment() throws {
        let run = try script(
            """
            printf 'not for firn' >.firnrc
            printf 'not for firn' >.dbrc
            printf 'id\\n1\\n' | "$firn" create a.firn --from - --class P -q
            HOME=/nonexistent XDG_CONFIG_HOME=/nonexistent "$firn" query a.firn P -f csv
            env -i "$firn" query a.firn P -f csv
            ls -A
            """)
        #expect(run.outputText == "id\n1\nid\n1\n.dbrc\n.firnrc\na.firn\n", "\(run)")
    }
}
