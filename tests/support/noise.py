"""What developers say of faults and of the work at hand, in words that could be taken for rules; none of it lasts."""

from __future__ import annotations

from typing import Final

REPORTS: Final = """
Links in the footer go to the old site
The search only shows the first page
The login page always redirects to the start
The export button does nothing on Safari
Images in the gallery load twice
The date picker starts on Sunday instead of Monday
The sidebar covers the chart on small screens
The total is always zero for refunds
The invoice shows the net amount instead of the gross
Emails go out twice when the worker restarts
The cursor jumps to the end of the field
Tooltips stay open after scrolling
The list never shows more than ten entries
The spinner never stops
The map loads the wrong tiles
Prices are rounded down in the cart
The upload hangs at 99 percent
Filters are lost when I go back
The page keeps reloading
Both tabs show the same data
The menu opens behind the video
Notifications arrive an hour late
The back button leads to a blank page
The job runs twice every night
The chart is cut off at the right
All rows in the table have the same id
The second request always times out
The header overlaps the first line
Users without a role see the admin menu
Every download ends up empty
The avatar is stretched on retina screens
The form forgets what I typed
The dropdown closes as soon as I move the mouse
Names with umlauts are broken in the export
Clicking save does not close the dialog
The API returns 500 for empty lists
The counter goes negative after a reset
The test passes locally but fails in CI
The script prints the password in clear text
The cache is never invalidated after an update
The report still uses last year's rates
The app crashes when the phone is rotated
Scrolling stutters in the long list
The icon looks blurry
The session expires after a minute
The modal has no close button on mobile
Half of the translations are missing
The graph shows the wrong units
The build takes ten minutes now
The preview is empty for markdown files
The confirmation mail has the wrong subject
The banner blocks the login button
Rows disappear when I sort by date
The import stops at the first empty line
The progress bar runs backwards
The title is shown twice in the tab
The CSV has a comma too many at the end of each line
Old entries come back after a refresh
The phone number loses its leading zero
The print view has white text on white
Attachments over two megabytes vanish
The autocomplete suggests deleted users
""".strip().splitlines()

SPECS: Final = """
The response must contain the id
The form should include the name and the address
The button must be blue
Add a switch for the dark mode under settings
The new endpoint should return the list sorted by name
The table needs a column for the draught
The dialog should close on escape
The function must accept an optional limit
The page should have a link to the manual
It should also work for empty lists
The title must be editable
The export should have one row per berth
The widget needs to show the last five entries
Users should be able to reset their password
The command should print the number of rows
The modal must have two buttons
There should be a spinner while it loads
The chart has to show both series
Make the sidebar collapsible
The field should be required
The importer should skip empty lines
The list should be paginated with 20 entries a page
The endpoint must answer with 404 for unknown ids
The mail should contain a link that is valid for a day
The job must write a line to the log when it is done
The input should accept dates in both formats
The header should stay visible when one scrolls
Show an error when the file is larger than 5 MB
The summary should list all ports
The result must be a JSON object with a key per berth
The flag should be off at first
The parser should handle quoted commas
The icon should turn green when it is done
Let the user choose between day and week
The script needs a flag for the year
The card should show the name, the flag and the length of the ship
The new page must look like the old one
The filter should remember the last choice
The method should take a list instead of a single id
The view needs an index on the ship id
The test should cover the empty case
The CLI should accept a file or stdin
The tooltip must show the exact value
The dashboard should refresh every minute
The report has to fit on one page
The save button should be disabled until the form is complete
The api should support sorting by two fields
The badge should count unread messages only
I want a page that lists all the tugs
We need a table for the tides of each port
The class should have a method that returns the next tide
The message must mention the ship's name
The download should start by itself
The table should have a row for each pilot
The first column must be the ship's name
The tab must show the number of open items
The legend should be below the chart
The worker should retry a failed load twice
Each card should link to its berth
The menu needs an entry for the archive
The banner should disappear after five seconds
The new column must not be null
""".strip().splitlines()

RULES: Final = """
The API must never expose internal ids
Every response must contain a request id
Each table needs a primary key of type uuid
Buttons are always blue in this product
All endpoints return lists sorted by id
Error pages always show the request id, support needs it
The build must be green before anything is merged
Migrations must be reversible
Public functions need a docstring
The config is only read in settings.py
The staging database is reset every night, never rely on its data
Tests must not touch the network
Commit messages are in English
Reports go to finance@ports.example, never to sales
The changelog must be updated with every release
Logs must not contain names of people
Use the design tokens instead of hex colours
The worker must only be restarted with make restart
Dates are always shown in the port's time zone
No inline styles in templates
""".strip().splitlines()
"""What sounds alike and does last."""
