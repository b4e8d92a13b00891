extension StoreError {
    /// There is no freeze of a name.
    static func freezeMissing(_ name: String, path: String) -> StoreError {
        StoreError(.freezeMissing, path: path, detail: "there is no freeze named \"\(name)\"")
    }

    /// The time of a freeze is over.
    static func freezeExpired(_ freeze: Freeze, path: String) -> StoreError {
        StoreError(
            .freezeMissing, path: path, detail: "the freeze named \"\(freeze.name)\" has expired")
    }
}
