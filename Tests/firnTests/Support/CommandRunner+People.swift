import FirnTesting

extension CommandRunner {
    /// Creates a database of the class Person, whose key is `id`.
    ///
    ///  - Parameter csv: the people, with the names of their properties in the first line.
    /// - Returns: its path.
    func makePeople(_ csv: String, in folder: TemporaryFolder) throws -> String {
        let file = folder("people.firn")
        let made = try run(
            ["create", file, "--from", "-", "--class", "Person", "--key", "id", "-q"]
                + ["--type", "name=String"], input: csv)
        guard made.status == 0 else { throw ProgramError("\(made)") }
        return file
    }
}
