/// Databases of other programs, whose files have classes of their own.
enum ForeignDatabase {
    /// Returns whether a file is such a database.
    static func isOne(_ file: String, _ environment: CommandEnvironment) -> Bool {
        RealmInput.isRealm(file, environment) || SQLiteDatabase.isDatabase(file, environment)
    }
}
